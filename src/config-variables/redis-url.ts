// Parses REDIS_URL and JOBS_REDIS_URL: `redis://`, `rediss://` or `redis+cluster://host:port,host:port`.

import { z } from 'zod';

export interface RedisAddress {
  readonly isCluster: boolean;
  readonly isEncrypted: boolean;
  /** At least one. Some nodes of a cluster are enough: they report the others. */
  readonly nodes: readonly RedisNode[];
  readonly username: string | null;
  readonly password: string | null;
  readonly database: number;
}

export interface RedisNode {
  /** an IPv6 address without its brackets */
  readonly host: string;
  readonly port: number;
}

/**
 * The message is the end of a sentence that begins with the name of the variable. It contains no part of the URL, because
 * a URL can have a password.
 */
class RedisUrlProblem extends Error {
  override readonly name = 'RedisUrlProblem';
}

const URL_PARTS = /^(?<scheme>rediss?|redis\+cluster):\/\/(?:(?<userinfo>.*)@)?(?<place>.*)$/s;
const PLACE = /^(?<hosts>[^/?#]+)(?:\/(?<database>\d{0,6}))?$/;
const NODE = /^(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<name>[a-z0-9._-]+))(?::(?<port>\d{1,5}))?$/i;
const DEFAULT_PORT = 6379;

/** Throws a RedisUrlProblem. */
export function parseRedisUrl(text: string): RedisAddress {
  const { scheme, userinfo, place = '' } = URL_PARTS.exec(text)?.groups ?? {};
  if (scheme === undefined) {
    throw new RedisUrlProblem('must be a URL of redis://, rediss:// or redis+cluster://');
  }
  const isCluster = scheme === 'redis+cluster';
  const credentials = readUserinfo(userinfo ?? '');
  const { hosts, database = '' } = PLACE.exec(place)?.groups ?? {};
  if (hosts === undefined || (isCluster && Number(database) !== 0)) {
    throw new RedisUrlProblem(
      isCluster
        ? 'must end with its hosts: a cluster has no databases'
        : 'must end with its host and port, or with "/" and the number of a database after them',
    );
  }
  const nodes = hosts.split(',').map(readNode);
  if (nodes.length > 1 && !isCluster)
    throw new RedisUrlProblem('names several hosts: write redis+cluster://');
  return {
    isCluster,
    isEncrypted: scheme === 'rediss',
    nodes,
    ...credentials,
    database: Number(database),
  };
}

function readUserinfo(userinfo: string): Pick<RedisAddress, 'username' | 'password'> {
  if (/[/?#\s]/.test(userinfo)) {
    throw new RedisUrlProblem(
      'has a "/", "?", "#" or blank in its user name or password: write %2F, %3F, %23 or %20',
    );
  }
  const colon = userinfo.indexOf(':');
  const [username, password] =
    colon === -1 ? [userinfo, ''] : [userinfo.slice(0, colon), userinfo.slice(colon + 1)];
  try {
    return {
      username: decodeURIComponent(username) || null,
      password: decodeURIComponent(password) || null,
    };
  } catch {
    throw new RedisUrlProblem('has a "%" in its user name or password that encodes nothing: write %25');
  }
}

function readNode(text: string): RedisNode {
  const { ipv6, name, port = String(DEFAULT_PORT) } = NODE.exec(text)?.groups ?? {};
  const host = ipv6 ?? name;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new RedisUrlProblem('must have its host as HOST or HOST:PORT, with a port from 1 to 65535');
  }
  return { host, port: Number(port) };
}

/** A type for the tables of variables. */
export const redisUrl = z.string().transform((text, context) => {
  try {
    return parseRedisUrl(text);
  } catch (error) {
    if (!(error instanceof RedisUrlProblem)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/** Hides user name and password, also in a URL with a mistake. For messages to the operator. */
export function withoutCredentials(text: string): string {
  return text.replace(/^([a-z+]*:\/\/)?(?:.*@|:.*)/is, '$1***@');
}
