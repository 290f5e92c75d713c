// The documented configuration, with the cache of responses from subgraphs.
import { useHttpCache } from '@graphql-hive/gateway';
import { gatewayConfig as documented } from './gateway.config.mjs';

export const gatewayConfig = {
  ...documented,
  cache: { type: 'localforage' },
  plugins: (context) => [useHttpCache(context)],
};
