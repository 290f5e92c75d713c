// The address of a client, and the addresses that count as one client.

import { expect, test } from 'vitest';
import { parseConfig } from '../../../../src/config.ts';
import { createClientAddress } from '../../../../src/http/request/clients/client-address.ts';
import { testTable } from '../../../support/test-table.ts';

const addressOf = (ranges = '') =>
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
])('the address %s is the client %s', (address, key) => {
  expect(addressOf()(address, () => undefined)).toBe(key);
});

test('all addresses of a /64 network are one client', () => {
  const clientOf = addressOf();
  const keys = Array.from({ length: 1_000 }, (_, host) =>
    clientOf(`2001:db8::${host.toString(16)}`, () => undefined),
  );
  expect(new Set(keys).size).toBe(1);
  expect(clientOf('2001:db8:0:1::1', () => undefined)).not.toBe(keys[0]);
});

const PROXY = '10.0.0.1';

testTable<[what: string, header: string | undefined, key: string]>([
  ['an address', '198.51.100.7', '198.51.100.7'],
  ['the last address, because the client wrote the others', '192.0.2.1, 198.51.100.7', '198.51.100.7'],
  ['the address that a trusted balancer before it sent', '192.0.2.1, 198.51.100.7, 10.9.9.9', '198.51.100.7'],
  ['the last address that is not trusted', '192.0.2.1, 10.1.1.1, 198.51.100.7, fd00::1', '198.51.100.7'],
  ['the first address, if all are trusted', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['an address with its port', '198.51.100.7:4711', '198.51.100.7'],
  ['an address in brackets', '[2001:db8::7]', '2001:db8:0:0::/64'],
  ['an address in brackets with its port', '[2001:db8::7]:4711', '2001:db8:0:0::/64'],
  ['an address with a zone', 'fe80::1%25;drop', 'fe80:0:0:0::/64'],
  ['a mapped address', '::ffff:198.51.100.7', '198.51.100.7'],
  ['an address between spaces', '\t 198.51.100.7 ', '198.51.100.7'],
  ['the address before a mapped trusted address', '198.51.100.7, ::ffff:10.0.0.2', '198.51.100.7'],
  ['the balancer if there is no header', undefined, PROXY],
  ['the balancer if the header is empty', '', PROXY],
  ['the balancer if the header is unreadable', 'unknown', PROXY],
  ['the last readable address', '198.51.100.7, unknown, 10.0.0.2', '10.0.0.2'],
  ['the balancer if a part of the header is empty', '198.51.100.7,', PROXY],
  ['the balancer if the header has half an address', '198.51.100', PROXY],
  ['the balancer if the header has empty brackets', '[]', PROXY],
  ['the balancer if the header has a host name', 'localhost', PROXY],
  ['the balancer if the header has a number', '3405803783', PROXY],
])('the client behind a trusted balancer is %s', (_, header, key) => {
  expect(addressOf('10.0.0.0/8,fd00::/8')(PROXY, () => header)).toBe(key);
});

test('the header of a sender that is not trusted is not read', () => {
  const header = () => {
    throw new Error('the header was read');
  };
  expect(addressOf('10.0.0.0/8')('192.0.2.1', header)).toBe('192.0.2.1');
  expect(addressOf()('127.0.0.1', header)).toBe('127.0.0.1');
  expect(addressOf('10.0.0.0/8')('gone', header)).toBe('gone');
});

testTable([
  ['fd00::/8', '198.51.100.7'],
  ['0.0.0.0/0', '2001:db8:0:0::/64'],
])('the trusted range %s has no addresses of the other version of IP', (range, client) => {
  const header = () => '192.0.2.1';
  expect(addressOf(range)(client === '198.51.100.7' ? client : '2001:db8::1', header)).toBe(client);
});

test('the gateway follows only a bounded number of proxies in a long chain', () => {
  const header = `192.0.2.1, ${'10.0.0.2, '.repeat(20)}10.0.0.3`;
  expect(addressOf('10.0.0.0/8')(PROXY, () => header)).toBe('10.0.0.2');
});

testTable([
  ['commas', ','.repeat(15_000)],
  ['one long part', '1'.repeat(15_000)],
  ['brackets', '['.repeat(15_000)],
  ['colons', ':'.repeat(15_000)],
  ['trusted addresses', '10.0.0.2,'.repeat(1_500)],
  ['percent signs', `1.2.3.4${'%'.repeat(15_000)}`],
])('a very long header of %s names no client', (_, header) => {
  expect(addressOf('10.0.0.0/8')(PROXY, () => header)).toMatch(/^10\.0\.0\.[12]$/);
});
