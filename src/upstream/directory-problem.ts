// Why a directory does not answer: an outage, or a problem that the operator must fix.

import type { DirectoryProblem } from '../directory/directory.ts';
import { hasResponse, isCertificateRefused, systemCode, type UpstreamFailure } from './upstream-failure.ts';

/** Why probes fail: an outage, which passes, or a URL that is not a directory's. */
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

/** OpenSSL's errors for bytes that are not a handshake */
const NO_TLS = /^(?:EPROTO$|ERR_SSL_)/;

function isNoHttp(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'HTTPParserError';
}

/**
 * The problem of base URLs that have not answered. If several base URLs have problems, a problem that the operator must
 * fix comes before an outage. Undefined if a base URL may still answer its first probe.
 */
export function worstProblem(failures: readonly (UpstreamFailure | null)[]): DirectoryProblem | undefined {
  const problems = failures.map((failure) => failure && problemOf(failure));
  const wrong = problems.find((problem) => problem !== null && problem !== 'OUTAGE');
  return wrong ?? (problems.includes(null) ? undefined : 'OUTAGE');
}
