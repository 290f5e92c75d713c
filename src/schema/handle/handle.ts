// The type Handle, for handles of every kind. record-fields.ts adds the fields of the record.

import { handleUri, handleUrl } from '../../doi/encoding-forms.ts';
import type { HandleName } from '../../doi/name.ts';
import { parseDoi } from '../../doi/parse.ts';
import { readHandle } from '../../doi/read-handle.ts';
import { GatewayError } from '../../errors.ts';
import { builder } from '../builder.ts';
import { DoiType, doiOrNull } from '../doi/doi.ts';
import { keys } from '../federation/federation-directives.ts';
import { priced, priceOfInputs } from '../field-price.ts';
import { remembered } from '../remembered.ts';

export interface Handle {
  readonly name: HandleName;
  readonly prefix: string;
  readonly suffix: string;
}

/** Splits the name at its first slash. The name must have a slash. */
export function handleOf(name: HandleName): Handle {
  const slash = name.indexOf('/');
  return { name, prefix: name.slice(0, slash), suffix: name.slice(slash + 1) };
}

export const HandleType = builder.objectRef<Handle>('Handle');

HandleType.implement({
  ...remembered<Handle>(({ name }) => name),
  directives: keys('name'),
  description:
    'A handle of any kind: of a repository (DSpace), a data set (ePIC), a FAIR digital object, a prefix, a shortDOI or a DOI. The case of letters makes no difference in the prefix. In the suffix it makes a difference, unless the prefix is `10` or begins with `10.`.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The handle itself, not encoded and in unchanged case: `20.500.12345/a#1`.',
    }),
    prefix: t.exposeString('prefix', { description: '`20.500.12345` of `20.500.12345/a#1`.' }),
    suffix: t.exposeString('suffix', { description: '`a#1` of `20.500.12345/a#1`.' }),
    uri: t.string({
      description: 'The handle as a URI: `hdl:20.500.12345/a%231`.',
      resolve: ({ name }) => handleUri(name),
    }),
    url: t.string({
      description:
        'The link of the handle: `https://hdl.handle.net/20.500.12345/a%231`. It does not depend on the directory of this gateway.',
      resolve: ({ name }) => handleUrl(name),
    }),
    doi: t.field({
      type: DoiType,
      nullable: true,
      description:
        'The DOI with this name, for example for the handle `10.1000/182`. Null if the handle is not a DOI name.',
      resolve: ({ name }) => doiOrNull(parseDoi(name, 'NAME').name),
    }),
  }),
});

builder.queryField('handle', (t) =>
  t.field({
    type: HandleType,
    nullable: true,
    description:
      'A handle of any kind: `handle(name: "20.500.12345/1")`. Null only with the error BAD_USER_INPUT, if the name is not a handle.',
    args: {
      name: t.arg.string({
        required: true,
        description:
          'A handle without a label, which the gateway does not decode: `20.500.12345/1`. Or a handle with a label, in which the gateway decodes percent triplets: `hdl:10.1000/1`, `https://hdl.handle.net/10.1000/1`.',
      }),
    },
    ...priced(({ name }: { readonly name: string }) => priceOfInputs([name])),
    resolve: (_root, args) => {
      const { name, problem } = readHandle(args.name);
      if (name !== null) return handleOf(name);
      throw new GatewayError('BAD_USER_INPUT', { message: problem });
    },
  }),
);
