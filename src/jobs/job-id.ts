// The names of a job: a secret id, which gives access to it, and a key for internal use.

import { createHash, randomBytes } from 'node:crypto';

/** Does not reveal the id, so it may be written to logs, file names and Redis. */
export type JobKey = string & { readonly kind: 'JobKey' };

/** 144 random bits. */
const ID_BYTES = 18;
const ID = /^[A-Za-z0-9_-]{24}$/;
const KEY = /^[0-9a-f]{32}$/;

export function createJobId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

/** Null if the text is not a possible id. */
export function jobKeyOf(id: string): JobKey | null {
  return ID.test(id) ? (digestOf(id) as JobKey) : null;
}

export function isJobKey(text: string): text is JobKey {
  return KEY.test(text);
}

/** Identifies a client without its address or the name of its API key, to count its jobs. */
export function clientMarkOf(clientKey: string): string {
  return digestOf(`client ${clientKey}`);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
