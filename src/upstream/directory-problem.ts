// Why a directory does not answer: an outage, or a problem that the operator must fix.

import type { DirectoryProblem } from '../directory/directory.ts';
import { hasResponse, isCertificateRefused, systemCode, type UpstreamFailure } from './upstream-failure.ts';

/** The problem that a failed probe shows. All problems but OUTAGE need the operator. */
function problemOf(failure: UpstreamFailure): DirectoryProblem {
  const { status, cause } = failure;
  if (status === 429 || (status ?? 0) >= 500) return 'OUTAGE';
  if (hasResponse(failure)) return 'NO_HANDLE_API';
  if (isCertificateRefused(cause)) return 'CERTIFICATE_REFUSED';
  const code = systemCode(cause) ?? '';
  if (HOST_NOT_FOUND.has(code)) return 'HOST_NOT_FOUND';
  return NO_TLS.test(code) || isNoHttp(cause) ? 'NO_HANDLE_API' : 'OUTAGE';
}

const HOST_NOT_FOUND: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);

/** Errors of OpenSSL if the server does not speak TLS. */
const NO_TLS = /^(?:EPROTO$|ERR_SSL_)/;

function isNoHttp(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'HTTPParserError';
}

/**
 * The most important problem of the base URLs: a problem that the operator must fix comes before an outage. Undefined if
 * no problem needs the operator and a base URL has no failure.
 * @param failures for each base URL the failure of its last probe; null if there is none
 */
export function worstProblem(failures: readonly (UpstreamFailure | null)[]): DirectoryProblem | undefined {
  const problems = failures.map((failure) => failure && problemOf(failure));
  const wrong = problems.find((problem) => problem !== null && problem !== 'OUTAGE');
  return wrong ?? (problems.includes(null) ? undefined : 'OUTAGE');
}
