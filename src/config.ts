// Configuration: the environment, checked as a whole and turned into one frozen value.

import type { z } from 'zod';
import { VARIABLES, type Variable } from './config-variables.ts';

/** Names every variable that is wrong, one a line, for whoever starts the gateway. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

type Variables = typeof VARIABLES;

type ValueOf<V extends Variable> = V['default'] extends null
  ? z.output<V['type']> | null
  : z.output<V['type']>;

/** All variables under their own names; null where one is unset and has no default. */
export type Config = { readonly [Name in keyof Variables]: ValueOf<Variables[Name]> };

/** Throws a ConfigError that names every bad variable at once. An empty variable counts as unset. */
export function parseConfig(environment: Environment): Config {
  const problems: string[] = [];
  const entries = Object.entries<Variable>(VARIABLES).map(([name, variable]) => {
    const text = environment[name] || variable.default;
    if (text === null) return [name, null];
    const parsed = variable.type.safeParse(text);
    if (!parsed.success) {
      const reasons = parsed.error.issues.map(({ message }) => message).join(', ');
      problems.push(`${name}="${withoutPassword(text)}": ${reasons}`);
    }
    return [name, parsed.data];
  });
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  if (config.PERSISTED_ONLY && config.PERSISTED_OPERATIONS === null) {
    problems.push('PERSISTED_ONLY="yes": there are no operations without PERSISTED_OPERATIONS');
  }
  if (problems.length > 0) {
    throw new ConfigError(
      `The configuration cannot be used:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  return config;
}

/** The configuration of this process. */
export function readConfig(): Config {
  return parseConfig(process.env);
}

const OURS =
  /^(?:DOI_DIRECTORY|DOI_AGENC|DIRECTORY_|WHICH_RA_|CACHE_|MAX_(?:BODY|QUERY|COMPLEXITY|LOOKUPS)|SHUTDOWN_|PERSISTED_)/;

/** Variables that look like the gateway's and are none: most likely typed wrongly. */
export function strayVariables(environment: Environment = process.env): string[] {
  return Object.keys(environment).filter((name) => OURS.test(name) && !Object.hasOwn(VARIABLES, name));
}

function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/g, '//***@');
}
