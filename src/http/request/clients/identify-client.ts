// Identifies the client of a request by its API key, else by its address.

import type { AddressRange } from '../../../config-variables/variable-types.ts';
import type { Client } from '../../../directory/requester.ts';
import { GatewayError } from '../../../errors.ts';
import type { Clock } from '../../../time.ts';
import type { ApiKey, ApiKeys } from './api-keys-file.ts';
import type { BudgetPolicy } from './budget-policy.ts';
import { createClientAddress } from './client-address.ts';
import type { BudgetWithHeaders, ClientBudgets } from './client-budgets.ts';

export interface HttpClient extends Client {
  /** the look-ups that the client has left; null: no limit */
  readonly budget: BudgetWithHeaders | null;
  /** Why the gateway refuses the client. Null: the client is allowed. */
  readonly refusal: GatewayError | null;
  /** Whether an API key identifies the client. If so, responses are only for this client. */
  readonly hasKey: boolean;
}

/** The parts of a request that identify its client. */
export interface ClientRequest {
  /** the address at the other end of the connection */
  readonly address: string;
  header(name: string): string | undefined;
}

export interface Clients {
  /** whether the gateway limits clients or has API keys, so that response headers depend on the client */
  readonly affectHeaders: boolean;
  /** whether the gateway has API keys */
  readonly haveKeys: boolean;
  /**
   * Set for operations of the gateway itself, such as the operations of jobs. These operations can use any document.
   * `operationMs` is their deadline.
   */
  readonly own?: { readonly operationMs: number };
  identify(request: ClientRequest): HttpClient;
}

export interface ClientsOptions {
  readonly trustedProxies: readonly AddressRange[];
  /** Returns the current keys. Null: the gateway has no keys. */
  readonly keys: () => ApiKeys | null;
  /** whether clients without a key have access */
  readonly isPublic: boolean;
  /** null: no client has a limit */
  readonly budgets: ClientBudgets | null;
  /** for clients without a key, and for keys without their own policy; null: no limit */
  readonly policy: BudgetPolicy | null;
  readonly clock: Clock['now'];
}

const EXPIRED_KEY = new GatewayError('UNAUTHENTICATED', {
  message: 'The API key has expired. Ask the operator of this gateway for a new one.',
});
const NO_KEY = new GatewayError('UNAUTHENTICATED');
const UNKNOWN_KEY = new GatewayError('UNAUTHENTICATED', {
  message: 'This gateway does not know the API key. Check the header "Authorization: Bearer", or remove it.',
});

export function createClients(options: ClientsOptions): Clients {
  const { trustedProxies, keys, isPublic, budgets, policy, clock } = options;
  const addressOf = createClientAddress(trustedProxies);
  const haveKeys = keys() !== null;

  function byAddress(request: ClientRequest, refusal: GatewayError | null): HttpClient {
    const key = addressOf(request.address, () => request.header('x-forwarded-for'));
    const budget = budgets && policy && refusal === null ? budgets.of(key, policy) : null;
    return { key, budget, refusal, hasKey: false };
  }

  function byKey(apiKey: ApiKey): HttpClient {
    // No address begins with "key:".
    const key = `key:${apiKey.name}`;
    const isExpired = apiKey.expiresAt !== null && clock() >= apiKey.expiresAt;
    if (isExpired) return { key, budget: null, refusal: EXPIRED_KEY, hasKey: true };
    const keyPolicy = apiKey.policy === 'default' ? policy : apiKey.policy;
    const budget = budgets && keyPolicy && budgets.of(key, keyPolicy);
    return { key, budget, refusal: null, hasKey: true };
  }

  return {
    affectHeaders: haveKeys || policy !== null,
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

/** The API key. Null for other schemes, such as Basic: these schemes are for a server in front of the gateway. */
function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim() ?? null;
}
