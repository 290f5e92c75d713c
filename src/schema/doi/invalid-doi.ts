// Turns problems of the parser into errors at a field's path.

import { meantBy } from '../../doi/find/reference-around.ts';
import type { DoiName } from '../../doi/name.ts';
import type { ParsedDoi } from '../../doi/parse.ts';
import { quoted } from '../../doi/problem-messages.ts';
import { GatewayError } from '../../errors.ts';

/** An error is not to be longer than what caused it. */
const MOST_MEANT = 5;
const LONGEST_MEANT = 500;

/**
 * The name, or an INVALID_DOI error with the problem's code as `reason`, its position in the input, and in `meant`
 * the names that stand in the input.
 */
export function nameOrError(parsed: ParsedDoi): DoiName | GatewayError {
  if (parsed.name !== null) return parsed.name;
  const { code, message, position } = parsed.problem;
  const meant = meantBy(parsed, MOST_MEANT)
    .map(({ name }) => name)
    .filter((name) => name.length <= LONGEST_MEANT);
  const [first] = meant;
  return new GatewayError('INVALID_DOI', {
    message: first === undefined ? message : `${message} Probably meant: ${quoted(first)}.`,
    details: { reason: code, position, meant },
  });
}
