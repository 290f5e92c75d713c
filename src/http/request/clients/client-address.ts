// Which client an address stands for, and whose address counts behind balancers.

import { BlockList, isIP } from 'node:net';
import type { AddressRange } from '../../../config-variables/variable-types.ts';

/**
 * The key of a client without an API key: its IPv4 address, or the /64 of its IPv6 address, which is what one
 * household or machine has to itself.
 * @param connected the address at the other end of the connection; what is no address is a key itself
 * @param forwarded gives `X-Forwarded-For`; called only where `connected` is trusted to have written its end
 */
export type ClientAddress = (connected: string, forwarded: () => string | undefined) => string;

/** More balancers in a row than anybody has. */
const MAX_HOPS = 16;
/** Of an IPv6 address with brackets, a zone and a port. */
const MAX_CHARACTERS = 100;

export function createClientAddress(trusted: readonly AddressRange[]): ClientAddress {
  const isTrusted = createTrust(trusted);

  /** Each hop wrote the address of the previous hop. An untrusted hop may have invented the addresses to its left. */
  function farthest(connected: string, header: string): string {
    let address = connected;
    let end = header.length;
    for (let hops = 0; hops < MAX_HOPS && end > 0 && isTrusted(address); hops += 1) {
      const comma = header.lastIndexOf(',', end - 1);
      const said = addressIn(header, comma + 1, end);
      if (said === null) break;
      address = said;
      end = comma;
    }
    return address;
  }

  return (connected, forwarded) => {
    const address = unmapped(connected);
    const header = isTrusted(address) ? forwarded() : undefined;
    return networkOf(header === undefined ? address : farthest(address, header));
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

/** The address in a part of the header, which may stand in brackets or with a port; null where there is none. */
function addressIn(header: string, start: number, end: number): string | null {
  if (end - start > MAX_CHARACTERS) return null;
  const text = header.slice(start, end).trim();
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text) ?? [];
  const address = (bracketed ?? plain ?? text).replace(/%.*$/, '');
  return isIP(address) === 0 ? null : unmapped(address);
}

/** A socket that takes IPv4 and IPv6 alike reports an IPv4 address as `::ffff:192.0.2.1`. */
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

/** The eight numbers of an IPv6 address; null where it is none. */
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
