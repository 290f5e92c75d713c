// The type ShortDOI. A shortDOI is an alias of a DOI name. A service of the DOI Foundation makes shortDOIs.

import type { DoiName, DoiProblemCode, HandleName } from 'doi-names';
import { parseDoi, quoted, readShortDoi } from 'doi-names/parts';
import { GatewayError } from '../../errors.ts';
import { aliasOf, isRegistered } from '../../handle/record.ts';
import { mapSoon, type Soon } from '../../time.ts';
import { builder, type GatewayContext } from '../builder.ts';
import { LOOK_UP_FIELD, PRICED_BY_INPUT } from '../field-price.ts';
import { DoiType, doiOrNull } from './doi.ts';

const ShortDoiType = builder.objectRef<HandleName>('ShortDOI').implement({
  description: 'A shortDOI: a short handle that is an alias of a DOI name.',
  fields: (t) => ({
    handle: t.string({ description: 'The handle: `10/abcde`.', resolve: (handle) => handle }),
    url: t.string({
      description: 'The link of the shortDOI: `https://doi.org/abcde`.',
      resolve: (handle) => `https://doi.org/${handle.slice(handle.indexOf('/') + 1)}`,
    }),
    exists: t.boolean({
      ...LOOK_UP_FIELD,
      description:
        'Whether the directory knows the shortDOI. The gateway never creates one. Null only with an error.',
      resolve: (handle, _args, { loaders }) => mapSoon(loaders.answeredRecord(handle), isRegistered),
    }),
    doi: t.field({
      type: DoiType,
      ...LOOK_UP_FIELD,
      description:
        'The DOI to which the shortDOI leads. Null with an error, or if the shortDOI is not registered or does not lead to a DOI.',
      resolve: (handle, _args, context) => mapSoon(firstDoi(handle, context), doiOrNull),
    }),
  }),
});

/** The first DOI name in the alias chain. Usually it is the first target, which then needs no look-up. */
function firstDoi(handle: HandleName, { loaders, followAliases }: GatewayContext): Soon<DoiName | null> {
  return mapSoon(loaders.answeredRecord(handle), (record) => {
    const alias = aliasOf(record);
    if (alias === null) return null;
    const firstInChain = (handles: readonly HandleName[]) =>
      handles.map(doiNameOf).find((name) => name !== null) ?? null;
    return doiNameOf(alias) ?? mapSoon(followAliases(alias, loaders), ({ via }) => firstInChain(via));
  });
}

function doiNameOf(handle: HandleName): DoiName | null {
  return parseDoi(handle, 'NAME').name;
}

builder.queryField('shortDoi', (t) =>
  t.field({
    type: ShortDoiType,
    nullable: true,
    description:
      'A shortDOI and the DOI to which it leads: `shortDoi(input: "10/abcde")`. If the input is not a shortDOI, null with the error INVALID_DOI.',
    args: {
      input: t.arg.string({
        required: true,
        description: 'A shortDOI: `10/abcde`, `abcde`, `https://doi.org/abcde`.',
      }),
    },
    ...PRICED_BY_INPUT,
    resolve: (_root, { input }) => {
      const handle = readShortDoi(input);
      if (handle === null) throw notShortDoi(input);
      return handle;
    },
  }),
);

function notShortDoi(input: string): GatewayError {
  const { name, problem } = parseDoi(input);
  if (name !== null) {
    const message = `${quoted(name)} is a DOI name, not a shortDOI. Use doi(input: …) instead.`;
    return invalidDoi('NOT_IN_FORM', message);
  }
  if (problem.code === 'EMPTY' || problem.code === 'UNPAIRED_SURROGATE') {
    return invalidDoi(problem.code, problem.message, problem.position);
  }
  const message = `${quoted(input.trim())} is not a shortDOI. A shortDOI has only letters and digits, as in "10/abcde", "abcde" or "https://doi.org/abcde".`;
  return invalidDoi('NOT_IN_FORM', message);
}

function invalidDoi(reason: DoiProblemCode, message: string, position: number | null = null): GatewayError {
  return new GatewayError('INVALID_DOI', { message, details: { reason, position } });
}
