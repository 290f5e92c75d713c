// What a request is called, in its answer and in the log.

import { randomBytes } from 'node:crypto';

/** Short and plain: it goes into headers and lines of the log as it is. */
export const PLAIN_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Another one in each process, so that no two workers or replicas give the same. */
const PROCESS = randomBytes(6).toString('base64url');

let made = 0;

/** What the client, or what stands before the gateway, calls it; where that is not plain, a new one. */
export function requestIdOf(sent: string | undefined): string {
  if (sent !== undefined && PLAIN_ID.test(sent)) return sent;
  made += 1;
  return `${PROCESS}-${made.toString(36)}`;
}
