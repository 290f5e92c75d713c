// Identifies the client of a request by its API key, else by its address.

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
  /** Why the gateway refuses the client. Null: the client is allowed. */
  readonly refusal: GatewayError | null;
  /** Whether an API key identifies the client. If so, responses are only for this client. */
  readonly hasKey: boolean;
}

/** The parts of a request that identify its client. */
export interface Introduction {
  /** the address at the other end of the connection */
  readonly address: string;
  header(name: string): string | undefined;
}

export interface Clients {
  /** whether any response depends on the client */
  readonly matter: boolean;
  /** whether API keys are in use */
  readonly haveKeys: boolean;
  /**
   * Set if the gateway itself is the client. It may use any document. `operationMs` is the deadline of its operations.
   */
  readonly own?: { readonly operationMs: number };
  identify(request: Introduction): HttpClient;
}

export interface ClientsOptions {
  readonly trustedProxies: readonly AddressRange[];
  /** Returns the current keys. Null: keys are not in use. */
  readonly keys: () => ApiKeys | null;
  /** whether clients without a key are allowed */
  readonly isPublic: boolean;
  /** Null: the gateway counts no look-ups. */
  readonly budgets: ClientBudgets | null;
  /** The policy of clients without their own policy. Null: no limit. */
  readonly policy: BudgetPolicy | null;
  readonly clock: Clock;
}

const NO_KEY = new GatewayError('UNAUTHENTICATED');
const UNKNOWN_KEY = new GatewayError('UNAUTHENTICATED', {
  message: 'This gateway does not know the API key. Check the header "Authorization: Bearer", or remove it.',
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
    // No address begins with "key:".
    const key = `key:${name}`;
    const isExpired = expiresAt !== null && clock() >= expiresAt;
    const keyPolicy = own === 'default' ? policy : own;
    const budget = budgets && keyPolicy && !isExpired ? budgets.of(key, keyPolicy) : null;
    return { key, budget, refusal: isExpired ? EXPIRED_KEY : null, hasKey: true };
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

/** Null for other schemes, because these are for a server in front of the gateway. */
function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim() ?? null;
}
