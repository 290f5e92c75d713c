// The message that an operator reads about a wrong configuration.

import { ConfigError, type Environment, parseConfig } from '../../src/config.ts';

/** Empty if the configuration is valid. */
export function configErrors(environment: Environment): string {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}
