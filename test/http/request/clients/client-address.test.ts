// Whose address counts, and which addresses are one client.

import { expect, test } from 'vitest';
import { parseConfig } from '../../../../src/config.ts';
import { createClientAddress } from '../../../../src/http/request/clients/client-address.ts';
import { testTable } from '../../../support/test-table.ts';

const trusting = (ranges = '') =>
  createClientAddress(parseConfig({ TRUSTED_PROXIES: ranges }).TRUSTED_PROXIES ?? []);

testTable([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:FFFF:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['gone', 'gone'],
])('%s is %s', (address, key) => {
  expect(trusting()(address, () => undefined)).toBe(key);
});

test('all addresses of a /64 are one client, those of the next another', () => {
  const of = trusting();
  const keys = Array.from({ length: 1_000 }, (_, host) =>
    of(`2001:db8::${host.toString(16)}`, () => undefined),
  );
  expect(new Set(keys).size).toBe(1);
  expect(of('2001:db8:0:1::1', () => undefined)).not.toBe(keys[0]);
});

const PROXY = '10.0.0.1';

testTable<[what: string, header: string | undefined, key: string]>([
  ['what it was told', '198.51.100.7', '198.51.100.7'],
  ['the last of what it was told: the client wrote the rest', '192.0.2.1, 198.51.100.7', '198.51.100.7'],
  ['what the balancer before it was told', '192.0.2.1, 198.51.100.7, 10.9.9.9', '198.51.100.7'],
  [
    'no further than to the first that nobody trusts',
    '192.0.2.1, 10.1.1.1, 198.51.100.7, fd00::1',
    '198.51.100.7',
  ],
  ['the first, where all are trusted', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['an address with its port', '198.51.100.7:4711', '198.51.100.7'],
  ['one in brackets', '[2001:db8::7]', '2001:db8:0:0::/64'],
  ['one in brackets with its port', '[2001:db8::7]:4711', '2001:db8:0:0::/64'],
  ['one with a zone', 'fe80::1%25;drop', 'fe80:0:0:0::/64'],
  ['one that is mapped', '::ffff:198.51.100.7', '198.51.100.7'],
  ['one between spaces', '\t 198.51.100.7 ', '198.51.100.7'],
  ['a trusted one that is mapped', '198.51.100.7, ::ffff:10.0.0.2', '198.51.100.7'],
  ['itself without the header', undefined, PROXY],
  ['itself where it is empty', '', PROXY],
  ['itself where it is junk', 'unknown', PROXY],
  ['the last that it can read', '198.51.100.7, unknown, 10.0.0.2', '10.0.0.2'],
  ['itself for an empty part', '198.51.100.7,', PROXY],
  ['itself for half an address', '198.51.100', PROXY],
  ['itself for brackets around nothing', '[]', PROXY],
  ['itself for a name', 'localhost', PROXY],
  ['itself for a number', '3405803783', PROXY],
])('of a balancer that is trusted counts %s', (_, header, key) => {
  expect(trusting('10.0.0.0/8,fd00::/8')(PROXY, () => header)).toBe(key);
});

test('whoever is not trusted cannot say whom it stands for', () => {
  const header = () => {
    throw new Error('the header was read');
  };
  expect(trusting('10.0.0.0/8')('192.0.2.1', header)).toBe('192.0.2.1');
  expect(trusting()('127.0.0.1', header)).toBe('127.0.0.1');
  expect(trusting('10.0.0.0/8')('gone', header)).toBe('gone');
});

testTable([
  ['fd00::/8', '198.51.100.7'],
  ['0.0.0.0/0', '2001:db8:0:0::/64'],
])('a range of one kind has no address of the other: %s', (range, client) => {
  const header = () => '192.0.2.1';
  expect(trusting(range)(client === '198.51.100.7' ? client : '2001:db8::1', header)).toBe(client);
});

test('a chain is followed for so many hops, and no further', () => {
  const header = `192.0.2.1, ${'10.0.0.2, '.repeat(20)}10.0.0.3`;
  expect(trusting('10.0.0.0/8')(PROXY, () => header)).toBe('10.0.0.2');
});

testTable([
  ['commas', ','.repeat(15_000)],
  ['one long part', '1'.repeat(15_000)],
  ['brackets', '['.repeat(15_000)],
  ['colons', ':'.repeat(15_000)],
  ['trusted addresses', '10.0.0.2,'.repeat(1_500)],
  ['percent signs', `1.2.3.4${'%'.repeat(15_000)}`],
])('a header bomb of %s is no client of its own', (_, header) => {
  expect(trusting('10.0.0.0/8')(PROXY, () => header)).toMatch(/^10\.0\.0\.[12]$/);
});
