// What the clients with API keys use: their requests and look-ups, by the names of the keys.

import { Counter, type Registry } from 'prom-client';

/** Each name is a time series in Prometheus, so further names count as `other`. */
export const MAX_NAMED_CLIENTS = 100;

const OTHER = 'other';
const WITHOUT_KEY = 'none';

export function createClientUse(registers: Registry[]) {
  const requests = new Counter({
    name: 'doi_gateway_client_requests_total',
    help: 'Requests by client: key: and the name of its API key, none (no key), or other (after 100 names). Without probes.',
    labelNames: ['client'] as const,
    registers,
  });
  const lookUps = new Counter({
    name: 'doi_gateway_client_lookups_total',
    help: 'Look-ups by client, and by source of the answer (memory, shared, stale, directory).',
    labelNames: ['client', 'answeredBy'] as const,
    registers,
  });
  const named = new Set<string>();

  function labelOf(key: string | null): string {
    if (key === null) return WITHOUT_KEY;
    if (named.size < MAX_NAMED_CLIENTS) named.add(key);
    return named.has(key) ? key : OTHER;
  }

  return {
    /**
     * Counts one request.
     * @param key `key:` and the name of the API key; null without a key
     * @param answered the number of look-ups by source of the answer
     */
    count(key: string | null, answered: Readonly<Record<string, number>>): void {
      const client = labelOf(key);
      requests.inc({ client });
      for (const [answeredBy, count] of Object.entries(answered)) {
        if (count > 0) lookUps.inc({ client, answeredBy }, count);
      }
    },
  };
}
