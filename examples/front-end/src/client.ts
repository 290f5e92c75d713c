import { Client, fetchExchange } from '@urql/core';

/** Where the gateway is; empty for where this page came from. */
const gatewayUrl: string = import.meta.env['VITE_GATEWAY_URL'] ?? '';

/**
 * Without a cache: a list is asked for because somebody wants to see it now, and the gateway keeps the answers.
 * README.md says what to add for an app with several views of the same DOIs.
 */
export const client = new Client({
  url: `${gatewayUrl.replace(/\/$/, '')}/graphql`,
  exchanges: [fetchExchange],
  // A list is soon longer than a URL may be.
  preferGetMethod: false,
});
