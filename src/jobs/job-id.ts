// The two identifiers of a job. Its id is secret, and gives access to the job. Its key is for internal use.

import { createHash, randomBytes } from 'node:crypto';

/** A key does not reveal the id, so logs, file names and Redis can contain keys. */
export type JobKey = string & { readonly kind: 'JobKey' };

const ID_BYTES = 18;
const ID = /^[A-Za-z0-9_-]{24}$/;
const KEY = /^[0-9a-f]{32}$/;

export function createJobId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

/** Returns null if the text is not a possible id. */
export function jobKeyOf(id: string): JobKey | null {
  return ID.test(id) ? (digestOf(id) as JobKey) : null;
}

export function isJobKey(text: string): text is JobKey {
  return KEY.test(text);
}

/** Identifies a client, to count its jobs. Reveals neither the address of the client nor the name of its API key. */
export function clientMarkOf(clientKey: string): string {
  return digestOf(`client ${clientKey}`);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
