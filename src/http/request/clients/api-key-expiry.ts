// An API key is refused from the time that its entry in the file gives as `expires`.

import { GatewayError } from '../../../errors.ts';
import type { ApiKey } from './api-keys-file.ts';

const EXPIRED_KEY = new GatewayError('UNAUTHENTICATED', {
  message: 'The API key has expired. Ask the operator of this gateway for a new one.',
});

/** Null if the key is valid at this time, in milliseconds since the epoch. */
export function refusalIfExpired({ expiresAt }: ApiKey, now: number): GatewayError | null {
  return expiresAt !== null && now >= expiresAt ? EXPIRED_KEY : null;
}
