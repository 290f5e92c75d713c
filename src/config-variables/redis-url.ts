// Parses REDIS_URL and JOBS_REDIS_URL: `redis://`, `rediss://` or `redis+cluster://host:port,host:port`.

import { z } from 'zod';

export interface RedisAddress {
  readonly isCluster: boolean;
  readonly isEncrypted: boolean;
  /** At least one node. Some nodes of a cluster are enough: they report the other nodes. */
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

const URL_PARTS = /^(?<scheme>rediss?|redis\+cluster):\/\/(?:(?<userinfo>.*)@)?(?<place>.*)$/s;
const PLACE = /^(?<hosts>[^/?#]+)(?:\/(?<database>\d{0,6}))?$/;
const NODE = /^(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<name>[a-z0-9._-]+))(?::(?<port>\d{1,5}))?$/i;
const DEFAULT_PORT = 6379;

/** A type for the tables of variables. The messages contain no part of the URL, because a URL can have a password. */
export const redisUrl = z.string().transform((text, context) => {
  const address = addressOrProblem(text);
  if (typeof address !== 'string') return address;
  context.addIssue({ code: 'custom', message: address });
  return z.NEVER;
});

/** Returns the address, or a problem: the end of a sentence that begins with the name of the variable. */
function addressOrProblem(text: string): RedisAddress | string {
  const { scheme, userinfo = '', place = '' } = URL_PARTS.exec(text)?.groups ?? {};
  if (scheme === undefined) return 'must be a URL of redis://, rediss:// or redis+cluster://';
  if (/[/?#\s]/.test(userinfo)) {
    return 'has a "/", "?", "#" or blank in its user name or password: write %2F, %3F, %23 or %20';
  }
  const credentials = credentialsIn(userinfo);
  if (credentials === null) {
    return 'has a "%" in its user name or password that encodes nothing: write %25';
  }
  const isCluster = scheme === 'redis+cluster';
  const { hosts, database = '' } = PLACE.exec(place)?.groups ?? {};
  if (hosts === undefined || (isCluster && Number(database) !== 0)) {
    return isCluster
      ? 'must end with its hosts: a cluster has no databases'
      : 'must end with its host and port, or with "/" and the number of a database after them';
  }
  const nodes = hosts.split(',').flatMap((host) => nodeOf(host) ?? []);
  if (nodes.length < hosts.split(',').length) {
    return 'must have its host as HOST or HOST:PORT, with a port from 1 to 65535';
  }
  if (nodes.length > 1 && !isCluster) return 'names several hosts: write redis+cluster://';
  const isEncrypted = scheme === 'rediss';
  return { isCluster, isEncrypted, nodes, ...credentials, database: Number(database) };
}

/** Null if a percent sign encodes nothing. */
function credentialsIn(userinfo: string): Pick<RedisAddress, 'username' | 'password'> | null {
  try {
    const [username, password] = userinfo.split(/:(.*)/s).map((part) => decodeURIComponent(part));
    return { username: username || null, password: password || null };
  } catch {
    return null;
  }
}

function nodeOf(text: string): RedisNode | null {
  const { ipv6, name, port = String(DEFAULT_PORT) } = NODE.exec(text)?.groups ?? {};
  const host = ipv6 ?? name;
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  return host !== undefined && isPort ? { host, port: Number(port) } : null;
}

/** Hides user name and password, also in a URL with a mistake. For messages to the operator. */
export function withoutCredentials(text: string): string {
  return text.replace(/^([a-z+]*:\/\/)?(?:.*@|:.*)/is, '$1***@');
}
