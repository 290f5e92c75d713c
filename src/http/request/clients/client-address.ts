// Finds the address of the client. If a trusted balancer sent the request, reads X-Forwarded-For.

import { BlockList, isIP } from 'node:net';
import type { AddressRange } from '../../../config-variables/variable-types.ts';

/**
 * Returns the text that identifies a client without an API key: its IPv4 address, or the /64 network of its IPv6
 * address, because a household or machine usually has a whole /64.
 * @param connected the address at the other end of the connection; text that is no address is returned unchanged
 * @param forwarded returns the header X-Forwarded-For; called only if `connected` is a trusted balancer
 */
export type ClientAddress = (connected: string, forwarded: () => string | undefined) => string;

/** The most balancers between a client and the gateway. */
const MAX_HOPS = 16;
/** Enough for an IPv6 address with brackets, a zone and a port. */
const MAX_CHARACTERS = 100;

export function createClientAddress(trusted: readonly AddressRange[]): ClientAddress {
  const isTrusted = createTrust(trusted);

  /**
   * Reads the header from right to left, because each balancer adds the address of its own client at the right end.
   * Stops at the first untrusted address: its owner could have invented the addresses to the left.
   */
  function firstUntrusted(connected: string, header: string): string {
    let address = connected;
    let end = header.length;
    for (let hops = 0; hops < MAX_HOPS && end > 0 && isTrusted(address); hops += 1) {
      const comma = header.lastIndexOf(',', end - 1);
      const previous = addressIn(header, comma + 1, end);
      if (previous === null) break;
      address = previous;
      end = comma;
    }
    return address;
  }

  return (connected, forwarded) => {
    const address = unmapped(connected);
    const header = isTrusted(address) ? forwarded() : undefined;
    return networkOf(header === undefined ? address : firstUntrusted(address, header));
  };
}

function createTrust(trusted: readonly AddressRange[]): (address: string) => boolean {
  if (trusted.length === 0) return () => false;
  const list = new BlockList();
  for (const { address, bits, family } of trusted) list.addSubnet(address, bits, family);
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/** The address in a part of the header, without brackets, port and zone. Null if the part has no valid address. */
function addressIn(header: string, start: number, end: number): string | null {
  if (end - start > MAX_CHARACTERS) return null;
  const text = header.slice(start, end).trim();
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text) ?? [];
  const address = (bracketed ?? plain ?? text).replace(/%.*$/, '');
  return isIP(address) === 0 ? null : unmapped(address);
}

/** Converts `::ffff:192.0.2.1` to `192.0.2.1`. A socket for IPv4 and IPv6 reports IPv4 addresses in this form. */
function unmapped(address: string): string {
  if (!address.includes(':')) return address;
  const groups = groupsOf(address);
  if (groups === null || groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) {
    return address;
  }
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

function networkOf(address: string): string {
  const groups = address.includes(':') ? groupsOf(address) : null;
  if (groups === null) return address;
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight numbers of an IPv6 address. Null for other text. */
function groupsOf(text: string): readonly number[] | null {
  const [address = ''] = text.split('%');
  if (isIP(address) !== 6) return null;
  const [before = '', after] = address.split('::');
  const head = numbersOf(before);
  const tail = numbersOf(after ?? '');
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function numbersOf(groups: string): readonly number[] {
  if (groups === '') return [];
  return groups.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
