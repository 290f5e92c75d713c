// The id of a request, X-Request-Id: sent by the client or a balancer, or made here.

import { randomBytes } from 'node:crypto';

/** The gateway writes an id into headers and log lines without escapes, so the id must be short and plain. */
export const PLAIN_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Random, so that two processes never make the same id. */
const PROCESS_ID = randomBytes(6).toString('base64url');

let madeCount = 0;

/** Returns the sent id. If it is missing or not plain, makes a new id. */
export function requestIdOf(sent: string | undefined): string {
  if (sent !== undefined && PLAIN_ID.test(sent)) return sent;
  madeCount += 1;
  return `${PROCESS_ID}-${madeCount.toString(36)}`;
}
