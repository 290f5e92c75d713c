import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { createPublicLookup, isPublicAddress } from '../../../src/upstream/agencies/public-addresses.ts';

describe('an address', () => {
  it.each(['8.8.8.8', '104.18.0.1', '172.32.0.1', '192.0.1.1', '2606:4700::1', '2a00:1450:4001::'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.255',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...[
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '192.0.2.1',
      '198.51.100.7',
      '203.0.113.9',
    ],
    ...['::', '::1', 'fe80::1', 'fc00::1', 'fdff::1', 'ff02::1', '2001:db8::1', '100::1'],
    ...['::ffff:10.0.0.1', '::ffff:8.8.8.8', '64:ff9b::a00:1', '2002:a00:1::', '::127.0.0.1'],
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a host', () => {
  const look = (addresses: readonly LookupAddress[], all: boolean) =>
    new Promise<unknown>((resolve) => {
      const lookup = createPublicLookup((_, done) => done(null, addresses));
      lookup('agency.example', { all }, (error, found) => resolve(error?.message ?? found));
    });
  const inside = { address: '10.0.0.1', family: 4 };
  const outside = { address: '8.8.8.8', family: 4 };

  it('is connected to at the addresses that were looked at', async () => {
    expect(await look([outside], true)).toEqual([outside]);
    expect(await look([outside], false)).toBe('8.8.8.8');
  });

  it.each([[[inside]], [[outside, inside]], [[]]])('is not where it leads to %j', async (addresses) => {
    expect(await look(addresses, true)).toMatch(/^agency\.example (?:leads to .*not public|has no address)$/);
    expect(await look(addresses, false)).toMatch(/not public$|no address$/);
  });

  it('is not where it cannot be found', async () => {
    const lookup = createPublicLookup((_, done) => done(new Error('ENOTFOUND'), []));
    const error = await new Promise((resolve) => lookup('x.example', { all: true }, resolve));
    expect(error).toMatchObject({ message: 'ENOTFOUND' });
  });
});
