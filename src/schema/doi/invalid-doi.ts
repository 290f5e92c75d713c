// Turns a problem of the parser into the error INVALID_DOI.

import { meantBy } from '../../doi/find/reference-around.ts';
import type { DoiName } from '../../doi/name.ts';
import type { ParsedDoi } from '../../doi/parse.ts';
import { quoted } from '../../doi/problem-messages.ts';
import { GatewayError } from '../../errors.ts';

// These limits keep an error short.
const MAX_MEANT = 5;
const MAX_MEANT_CHARACTERS = 500;

/**
 * The name, or an INVALID_DOI error. The error has the code of the problem (`reason`), its position in the input, and the
 * names that the input contains (`meant`).
 */
export function nameOrError(parsed: ParsedDoi): DoiName | GatewayError {
  if (parsed.name !== null) return parsed.name;
  const { code, message, position } = parsed.problem;
  const meant = meantBy(parsed, MAX_MEANT)
    .map(({ name }) => name)
    .filter((name) => name.length <= MAX_MEANT_CHARACTERS);
  const [first] = meant;
  return new GatewayError('INVALID_DOI', {
    message: first === undefined ? message : `${message} Probably meant: ${quoted(first)}.`,
    details: { reason: code, position, meant },
  });
}
