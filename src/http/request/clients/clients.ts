// Who asks: by an API key, else by an address, and what each may.

import type { AddressRange } from '../../../config-variables/variable-types.ts';
import type { Clock } from '../../../directory/directory.ts';
import type { Client } from '../../../directory/requester.ts';
import { GatewayError } from '../../../errors.ts';
import type { ApiKey, ApiKeys } from './api-keys-file.ts';
import type { BudgetPolicy } from './budget-policy.ts';
import { createClientAddress } from './client-address.ts';
import type { BudgetWithHeaders, ClientBudgets } from './client-budgets.ts';

/** A client as the HTTP side knows it. */
export interface HttpClient extends Client {
  readonly budget: BudgetWithHeaders | null;
  /** why it is answered nothing; null: it is let in */
  readonly refusal: GatewayError | null;
  /** identified by an API key: its answers are for this client only */
  readonly hasKey: boolean;
}

/** What of a request says who asks. */
export interface Introduction {
  /** at the other end of the connection */
  readonly address: string;
  header(name: string): string | undefined;
}

export interface Clients {
  /** whether who asks makes any difference to what is answered */
  readonly matter: boolean;
  /** whether answers may differ by the API key */
  readonly haveKeys: boolean;
  /** The gateway itself asks, by whatever documents it likes. Left out: others do. */
  readonly own?: { readonly operationMs: number };
  identify(request: Introduction): HttpClient;
}

export interface ClientsOptions {
  readonly trustedProxies: readonly AddressRange[];
  /** those that are known now; null: keys are not in use */
  readonly keys: () => ApiKeys | null;
  /** whether clients without a key are let in */
  readonly isPublic: boolean;
  /** null: no client is counted */
  readonly budgets: ClientBudgets | null;
  /** of clients that have none of their own; null: no limit */
  readonly policy: BudgetPolicy | null;
  readonly clock: Clock;
}

const NO_KEY = new GatewayError('UNAUTHENTICATED');
const UNKNOWN_KEY = new GatewayError('UNAUTHENTICATED', {
  message:
    'This gateway does not know the API key. Check what you send as Authorization: Bearer, or leave it out.',
});
const EXPIRED_KEY = new GatewayError('UNAUTHENTICATED', {
  message: 'The API key has expired. Ask the operator of this gateway for a new one.',
});

export function createClients(options: ClientsOptions): Clients {
  const { trustedProxies, keys, isPublic, budgets, policy, clock } = options;
  const addressOf = createClientAddress(trustedProxies);
  const haveKeys = keys() !== null;

  function byAddress(request: Introduction, refusal: GatewayError | null): HttpClient {
    const key = addressOf(request.address, () => request.header('x-forwarded-for'));
    const budget = budgets && policy && refusal === null ? budgets.of(key, policy) : null;
    return { key, budget, refusal, hasKey: false };
  }

  function byKey({ name, policy: own, expiresAt }: ApiKey): HttpClient {
    // No address begins so.
    const key = `key:${name}`;
    const isOver = expiresAt !== null && clock() >= expiresAt;
    const its = own === 'default' ? policy : own;
    const budget = budgets && its && !isOver ? budgets.of(key, its) : null;
    return { key, budget, refusal: isOver ? EXPIRED_KEY : null, hasKey: true };
  }

  return {
    matter: haveKeys || policy !== null,
    haveKeys,
    identify(request) {
      const known = keys();
      const sent = known && bearerOf(request.header('authorization'));
      if (sent === null) return byAddress(request, isPublic ? null : NO_KEY);
      const key = known?.find(sent);
      return key ? byKey(key) : byAddress(request, UNKNOWN_KEY);
    },
  };
}

/** Any other scheme is for what stands before the gateway. */
function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim() ?? null;
}
