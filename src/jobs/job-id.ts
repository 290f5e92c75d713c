// What a job is called: a secret by which whoever has it gets the job, and a key by which everything else knows it.

import { createHash, randomBytes } from 'node:crypto';

/** Tells nothing of the id it is made from: it may stand in logs, file names and Redis. */
export type JobKey = string & { readonly kind: 'JobKey' };

/** 144 random bits. */
const ID_BYTES = 18;
const ID = /^[A-Za-z0-9_-]{24}$/;
const KEY = /^[0-9a-f]{32}$/;

export function createJobId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

/** Null where no job can be called so. */
export function jobKeyOf(id: string): JobKey | null {
  return ID.test(id) ? (digestOf(id) as JobKey) : null;
}

export function isJobKey(text: string): text is JobKey {
  return KEY.test(text);
}

/** A client as it is written down to be counted: neither its address nor the name of its API key. */
export function clientMarkOf(clientKey: string): string {
  return digestOf(`client ${clientKey}`);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
