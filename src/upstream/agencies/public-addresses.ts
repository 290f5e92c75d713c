// Decides which redirects the gateway follows: only to listed services of agencies, and only to public addresses.

import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

export interface ServiceTarget {
  /** `https://api.crossref.org` */
  readonly origin: string;
  /** the host in the form of METADATA_HOSTS: `api.crossref.org`, `127.0.0.1:8080` */
  readonly host: string;
  /** path and query */
  readonly path: string;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;

/** Tests and institutions can run services on the machine of the gateway. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** Null if the URL has no listed host name or does not use https. Listed loopback hosts may use http and IP addresses. */
export function serviceTarget(
  location: string,
  base: string,
  hosts: ReadonlySet<string>,
): ServiceTarget | null {
  if (!URL.canParse(location, base)) return null;
  const { protocol, host, hostname, origin, pathname, search, username, password } = new URL(location, base);
  if (!hosts.has(host) || username !== '' || password !== '') return null;
  const isLoopbackHost = isLoopback(hostname);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (isAddress && !isLoopbackHost) return null;
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost)) return null;
  return { origin, host, path: pathname + search };
}

/** IANA's special-purpose address registries: https://www.iana.org/assignments/iana-ipv4-special-registry, …-ipv6-… */
const SPECIAL = blockList(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  ::/128 ::1/128 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8`,
);

/** IPv4 in IPv6: mapped, translated (RFC 6052), 6to4 and compatible. A separate list, because it matches all of IPv4. */
const EMBEDDED_IPV4 = blockList('::ffff:0:0/96 64:ff9b::/96 2002::/16 ::/96');

function blockList(subnets: string): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(/\s+/)) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Also false for an IPv6 address that contains an IPv4 address, because every agency has other addresses too. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL.check(address, 'ipv4');
  return !SPECIAL.check(address, 'ipv6') && !EMBEDDED_IPV4.check(address, 'ipv6');
}

type Resolve = (
  host: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

const resolveAll: Resolve = (host, done) => dnsLookup(host, { all: true, verbatim: true }, done);

/** The returned function finds the addresses of a host. It fails if an address is not public, to prevent connections. */
export function createPublicLookup(resolve: Resolve = resolveAll): LookupFunction {
  return (host, options, done) => {
    resolve(host, (error, addresses) => {
      const notAllowed = addresses?.find(({ address }) => !isPublicAddress(address));
      const [first] = addresses ?? [];
      if (error) done(error, '');
      else if (notAllowed || !first) done(notPublic(host, notAllowed?.address), '');
      else if (options.all) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });
  };
}

function notPublic(host: string, address: string | undefined): Error {
  return new Error(address ? `${host} leads to ${address}, which is not public` : `${host} has no address`);
}
