// The response codes of the handle protocol, as the proxy's REST API uses them (Resolution doc, section 5).

export type HandleStatus = 'SUCCESS' | 'ERROR' | 'HANDLE_NOT_FOUND' | 'VALUES_NOT_FOUND';

interface ResponseCode {
  readonly status: HandleStatus;
  /** The HTTP statuses that the proxy sends with the code. The gateway sends the first. */
  readonly httpStatus: readonly number[];
  /** the meaning of a failure, for people; null for the other codes */
  readonly meaning: string | null;
}

export const SUCCESS = 1;
export const FAILURE = 2;
export const TOO_BUSY = 3;
export const PROTOCOL_ERROR = 4;
export const HANDLE_NOT_FOUND = 100;
export const INVALID_HANDLE = 102;
export const VALUES_NOT_FOUND = 200;
export const AUTHENTICATION_NEEDED = 402;

/** The codes that the proxy sends. The handle protocol also defines other codes. */
const RESPONSE_CODES: ReadonlyMap<number, ResponseCode> = new Map<number, ResponseCode>([
  [SUCCESS, { status: 'SUCCESS', httpStatus: [200], meaning: null }],
  [FAILURE, failure([500], 'The directory had an internal error. Try again later.')],
  [TOO_BUSY, failure([503], 'The directory is too busy. Try again later.')],
  [PROTOCOL_ERROR, failure([400], 'The directory did not understand the request.')],
  [7, failure([503], 'The directory is not available just now. Try again later.')],
  [HANDLE_NOT_FOUND, { status: 'HANDLE_NOT_FOUND', httpStatus: [404], meaning: null }],
  [INVALID_HANDLE, failure([400], 'The directory refuses the name as invalid.')],
  [VALUES_NOT_FOUND, { status: 'VALUES_NOT_FOUND', httpStatus: [200], meaning: null }],
  [301, failure([400], 'The directory sent the look-up to a server that is not responsible for the name.')],
  [302, failure([300], 'The directory refers to another service for the name.')],
  [303, failure([300], 'The directory refers to another service for the prefix.')],
  [401, failure([401, 403], 'The directory wants authentication for the name.')],
  [AUTHENTICATION_NEEDED, failure([401, 403], 'The directory wants authentication for the name.')],
  [403, failure([401, 403], 'The directory wants authentication for the name.')],
  [404, failure([401, 403], 'The directory wants authentication for the name.')],
]);

function failure(httpStatus: readonly number[], meaning: string): ResponseCode {
  return { status: 'ERROR', httpStatus, meaning };
}

/** ERROR for every code except 1, 100 and 200. */
export function statusOf(responseCode: number): HandleStatus {
  return RESPONSE_CODES.get(responseCode)?.status ?? 'ERROR';
}

/** Whether the directory itself has a problem, so that a retry can help. */
export function isDirectoryFault(responseCode: number): boolean {
  return responseCode === FAILURE || responseCode === TOO_BUSY || responseCode === 7;
}

/** Null for the codes 1, 100 and 200, which are no failures. */
export function meaningOf(responseCode: number): string | null {
  const known = RESPONSE_CODES.get(responseCode);
  return known ? known.meaning : `The directory failed with response code ${responseCode}.`;
}

/** The HTTP status with which the REST API sends this code. */
export function httpStatusOf(responseCode: number): number {
  return RESPONSE_CODES.get(responseCode)?.httpStatus[0] ?? 500;
}

/** Whether the proxy sends this code with this HTTP status. An unknown code fits every status from 300. */
export function fitsHttpStatus(responseCode: number, httpStatus: number): boolean {
  return RESPONSE_CODES.get(responseCode)?.httpStatus.includes(httpStatus) ?? httpStatus >= 300;
}
