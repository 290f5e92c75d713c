// The version of the gateway, as in package.json.

import { createRequire } from 'node:module';

export const { version: VERSION } = createRequire(import.meta.url)('../../package.json') as {
  readonly version: string;
};
