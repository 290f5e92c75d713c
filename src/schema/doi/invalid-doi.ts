// Turns what the parser reports into errors at a field's path.

import type { DoiName } from '../../doi/name.ts';
import type { ParsedDoi } from '../../doi/parse.ts';
import { GatewayError } from '../../errors.ts';

/** The name, or an INVALID_DOI error with the problem's code as `reason` and its position in the input. */
export function nameOrError(parsed: ParsedDoi): DoiName | GatewayError {
  if (parsed.name !== null) return parsed.name;
  const { code, message, position } = parsed.problem;
  return new GatewayError('INVALID_DOI', { message, details: { reason: code, position } });
}
