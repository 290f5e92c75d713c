// Who may ask, as the configuration says: keys from a file, budgets in memory or in Redis.

import type { Config } from '../config.ts';
import type { Clock } from '../directory/directory.ts';
import { ApiKeysError, loadApiKeys } from '../http/request/clients/api-keys-file.ts';
import { policyOf } from '../http/request/clients/budget-policy.ts';
import type { ClientBudgets } from '../http/request/clients/client-budgets.ts';
import { type Clients, createClients } from '../http/request/clients/clients.ts';
import type { Log } from '../log.ts';
import type { Limits } from './limits.ts';

export interface ClientSource {
  readonly clients: Clients;
  /** Reads the file of keys again. A file that cannot be used is logged, and the keys stay. */
  reloadKeys(): Promise<void>;
  close(): void;
}

/** Rejects with an ApiKeysError when the file of keys cannot be used. */
export async function createClientSource(
  config: Config,
  limits: Pick<Limits, 'clientBurst'>,
  log: Log,
  clock: Clock,
): Promise<ClientSource> {
  const { API_KEYS_FILE: file, CLIENT_LOOKUPS_PER_SECOND: perSecond } = config;
  let keys = file === null ? null : await loadApiKeys(file);
  const mayCount = perSecond !== null || file !== null;
  const counting = mayCount ? await startCounting(config, log) : null;
  let reading = Promise.resolve();

  async function read(): Promise<void> {
    if (file === null) return;
    try {
      keys = await loadApiKeys(file);
      log.info(`${file} was read again: ${keys.size} API keys.`);
    } catch (error) {
      if (!(error instanceof ApiKeysError)) throw error;
      log.error(`The API keys stay as they were. ${error.message}`);
    }
  }

  return {
    clients: createClients({
      trustedProxies: config.TRUSTED_PROXIES ?? [],
      keys: () => keys,
      isPublic: config.PUBLIC_ACCESS,
      budgets: counting?.budgets ?? null,
      policy: perSecond === null ? null : policyOf(perSecond, limits.clientBurst),
      clock,
    }),
    // One after the other: the file as it was read last counts.
    reloadKeys() {
      reading = reading.then(read);
      return reading;
    },
    close: () => counting?.close(),
  };
}

/** Loaded only if budgets are set. Without a Redis each replica counts alone. */
async function startCounting(
  { REDIS_URL: redisUrl, DOI_DIRECTORY_URL: baseUrls }: Config,
  log: Log,
): Promise<{ readonly budgets: ClientBudgets; close(): void }> {
  const { createClientBudgets } = await import('../http/request/clients/client-budgets.ts');
  if (redisUrl === null || baseUrls === null)
    return { budgets: createClientBudgets({ redis: null }), close: () => undefined };
  const { connectRedis } = await import('../cache/redis-connection.ts');
  const { redisPrefix } = await import('../cache/redis-connection.ts');
  const redis = connectRedis(redisUrl, redisPrefix(baseUrls));
  redis.on('error', (error) => log.debug({ err: error }, 'shared budgets'));
  return { budgets: createClientBudgets({ redis }), close: () => redis.disconnect() };
}
