// What keeps the directory from answering probes: an outage, which passes, or an address that is no directory's.

import type { DirectoryProblem } from '../directory.ts';
import { hasResponse, isCertificateRefused, systemCode, type UpstreamFailure } from './upstream-failure.ts';

export function problemOf(failure: UpstreamFailure): DirectoryProblem {
  const { status, cause } = failure;
  if (status === 429 || (status ?? 0) >= 500) return 'OUTAGE';
  if (hasResponse(failure)) return 'NO_HANDLE_API';
  if (isCertificateRefused(cause)) return 'CERTIFICATE_REFUSED';
  const code = systemCode(cause) ?? '';
  if (HOST_NOT_FOUND.has(code)) return 'HOST_NOT_FOUND';
  return NO_TLS.test(code) || isNoHttp(cause) ? 'NO_HANDLE_API' : 'OUTAGE';
}

const HOST_NOT_FOUND: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA']);

/** what OpenSSL says of bytes that are no handshake */
const NO_TLS = /^(?:EPROTO$|ERR_SSL_)/;

function isNoHttp(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'HTTPParserError';
}

/**
 * Of several base URLs that have not answered: what must be put right, before an outage. undefined: one of them may
 * still answer its first probe.
 */
export function worstProblem(failures: readonly (UpstreamFailure | null)[]): DirectoryProblem | undefined {
  const problems = failures.map((failure) => failure && problemOf(failure));
  const wrong = problems.find((problem) => problem !== null && problem !== 'OUTAGE');
  return wrong ?? (problems.includes(null) ? undefined : 'OUTAGE');
}
