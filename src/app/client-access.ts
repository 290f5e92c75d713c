// Builds the parts that identify and limit clients: API keys from a file, and look-up budgets in memory or in Redis.

import type { Config } from '../config.ts';
import { ApiKeysError, loadApiKeys } from '../http/request/clients/api-keys-file.ts';
import { policyOf } from '../http/request/clients/budget-policy.ts';
import type { ClientBudgets } from '../http/request/clients/client-budgets.ts';
import { createClients } from '../http/request/clients/identify-client.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time.ts';
import type { Limits } from './limits.ts';

/** Rejects with an ApiKeysError if the file of keys cannot be used. */
export async function createClientAccess(
  config: Config,
  limits: Pick<Limits, 'clientBurst'>,
  log: Log,
  clock: Clock['now'],
) {
  const { API_KEYS_FILE: file, CLIENT_LOOKUPS_PER_SECOND: perSecond } = config;
  let keys = file === null ? null : await loadApiKeys(file);
  const hasLimits = perSecond !== null || file !== null;
  const counter = hasLimits ? await startCounting(config, log) : null;
  let lastRead = Promise.resolve();

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
      budgets: counter?.budgets ?? null,
      policy: perSecond === null ? null : policyOf(perSecond, limits.clientBurst),
      clock,
    }),
    /** Reads the file of keys again. If the file cannot be used, logs the reason and keeps the present keys. */
    reloadKeys(): Promise<void> {
      // Two calls never read at the same time, so the keys of the last call remain.
      lastRead = lastRead.then(read);
      return lastRead;
    },
    close: (): void => counter?.close(),
  };
}

/** Call it only if clients have limits: its imports take time. With Redis, all replicas count look-ups together. */
async function startCounting(
  { REDIS_URL: redisUrl, DOI_DIRECTORY_URL: baseUrls }: Config,
  log: Log,
): Promise<{ readonly budgets: ClientBudgets; close(): void }> {
  const { createClientBudgets } = await import('../http/request/clients/client-budgets.ts');
  if (redisUrl === null || baseUrls === null)
    return { budgets: createClientBudgets({ redis: null }), close: () => undefined };
  const { causeOf, connectRedis, redisPrefix } = await import('../cache/redis-connection.ts');
  const redis = connectRedis(redisUrl, redisPrefix(baseUrls));
  redis.on('error', (error) =>
    log.debug({ cause: causeOf(error) }, 'Redis failed for the budgets of clients.'),
  );
  return { budgets: createClientBudgets({ redis }), close: () => redis.disconnect() };
}
