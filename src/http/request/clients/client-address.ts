// Finds the address of the client. If a trusted balancer sent the request, reads X-Forwarded-For.

import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { AddressRange } from '../../../config-variables/variable-types.ts';

/**
 * Returns the text that identifies a client without an API key: its IPv4 address, or the /64 network of its IPv6
 * address, because a household or machine usually has a whole /64.
 * @param connected the address at the other end of the connection; text that is no address is returned unchanged
 * @param forwarded returns the header X-Forwarded-For; called only if `connected` is a trusted balancer
 */
export type ClientAddress = (connected: string, forwarded: () => string | undefined) => string;

/** At most this many addresses of the header are read. */
const MAX_HOPS = 16;
/** An IPv6 address with brackets, a zone and a port is shorter. */
const MAX_CHARACTERS = 100;

export function createClientAddress(trusted: readonly AddressRange[]): ClientAddress {
  const isTrusted = createTrustCheck(trusted);

  /**
   * Reads the header from right to left, because each balancer adds the address of its client at the right end.
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
    const address = normalize(connected);
    const header = isTrusted(address) ? forwarded() : undefined;
    return networkOf(header === undefined ? address : firstUntrusted(address, header));
  };
}

function createTrustCheck(trusted: readonly AddressRange[]): (address: string) => boolean {
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
  return isIP(address) === 0 ? null : normalize(address);
}

/**
 * Returns `192.0.2.1` for `::ffff:192.0.2.1`, because a socket for IPv4 and IPv6 reports IPv4 addresses in this form.
 * Returns other IPv6 addresses in their shortest form, without zone, and text that is no address unchanged.
 */
function normalize(text: string): string {
  if (!text.includes(':')) return text;
  if (text.startsWith(MAPPED) && isIPv4(text.slice(MAPPED.length))) return text.slice(MAPPED.length);
  const [address = ''] = text.split('%');
  if (!isIPv6(address)) return text;
  const { address: shortest } = new SocketAddress({ address, family: 'ipv6' });
  return shortest.startsWith(MAPPED) && shortest.includes('.') ? shortest.slice(MAPPED.length) : shortest;
}

const MAPPED = '::ffff:';

/** @param address as `normalize` returns it */
function networkOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address;
  const groups = address.split(':').length;
  const whole = address.replace('::', `:${'0:'.repeat(9 - groups)}`);
  const network = whole.split(':', 4).map((group) => group || '0');
  return `${network.join(':')}::/64`;
}
