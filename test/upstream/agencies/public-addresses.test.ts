// Which addresses and redirect targets the gateway connects to for metadata.

import type { LookupAddress } from 'node:dns';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createPublicLookup,
  isPublicAddress,
  serviceTarget,
} from '../../../src/upstream/agencies/public-addresses.ts';
import { startDirectoryServer } from '../../support/directory-server.ts';
import { testTable } from '../../support/test-table.ts';
import { createGet } from '../https-servers.ts';
import { answering, failureOf } from '../proxy-under-test.ts';

testTable(['8.8.8.8', '104.18.0.1', '172.32.0.1', '192.0.1.1', '2606:4700::1', '2a00:1450:4001::'])(
  'the address %s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

testTable([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...['192.0.2.1', '198.51.100.7', '203.0.113.9', '::', '::1', 'fe80::1', 'fc00::1', 'fdff::1'],
  ...['ff02::1', '2001:db8::1', '100::1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '64:ff9b::a00:1'],
  ...['2002:a00:1::', '::127.0.0.1'],
])('the address %s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

describe('the look-up of a host', () => {
  const lookUp = (addresses: readonly LookupAddress[], all: boolean) =>
    new Promise<unknown>((resolve) => {
      const lookup = createPublicLookup((_, done) => done(null, addresses));
      lookup('agency.example', { all }, (error, found) => resolve(error?.message ?? found));
    });
  const inside = { address: '10.0.0.1', family: 4 };
  const outside = { address: '8.8.8.8', family: 4 };

  test('returns its public addresses', async () => {
    expect(await lookUp([outside], true)).toEqual([outside]);
    expect(await lookUp([outside], false)).toBe('8.8.8.8');
  });

  test.each([[[inside]], [[outside, inside]], [[]]])('fails if its addresses are %j', async (addresses) => {
    expect(await lookUp(addresses, true)).toMatch(
      /^agency\.example (?:leads to .*not public|has no address)$/,
    );
    expect(await lookUp(addresses, false)).toMatch(/not public$|no address$/);
  });

  test('fails if the host is unknown', async () => {
    const lookup = createPublicLookup((_, done) => done(new Error('ENOTFOUND'), []));
    const error = await new Promise((resolve) => lookup('x.example', { all: true }, resolve));
    expect(error).toMatchObject({ message: 'ENOTFOUND' });
  });
});

test('each new connection looks up its host again, but a reused connection does not look it up', async () => {
  const server = await startDirectoryServer(answering(200, 'reused'));
  onTestFinished(() => server.close());
  const lookUps: unknown[] = [];
  let isPublic = true;
  const get = createGet(`http://agency.example:${server.url.port}`, {
    lookup(host, { all }, done) {
      lookUps.push({ host, all });
      if (isPublic) done(null, [{ address: '127.0.0.1', family: 4 }]);
      else done(new Error('not public'), '');
    },
  });
  expect(await get()).toBe('reused');
  server.behave(answering(200, 'last', { connection: 'close' }));
  expect(await get()).toBe('last');
  expect(lookUps).toEqual([{ host: 'agency.example', all: true }]);
  isPublic = false;
  expect((await failureOf(get())).code).toBe('UPSTREAM_UNAVAILABLE');
  expect(lookUps).toHaveLength(2);
  expect(server.targets).toHaveLength(2);
});

describe('a redirect', () => {
  const BASE = 'https://doi.org/';

  test.each(['8.8.8.8', '10.0.0.1', '169.254.169.254', '[2606:4700::1]', '[fe80::1]'])(
    'to the IP address %s is not followed, even if it is listed',
    (host) => {
      expect(serviceTarget(`https://${host}/works`, BASE, new Set([host]))).toBeNull();
    },
  );

  test.each(['127.0.0.1:8080', '[::1]:8080', 'localhost:8080'])(
    'to the loopback address %s is followed only if it is listed',
    (host) => {
      const location = `http://${host}/works?a=b#c`;
      expect(serviceTarget(location, BASE, new Set([host]))).toEqual({
        origin: `http://${host}`,
        host,
        path: '/works?a=b',
      });
      expect(serviceTarget(location, BASE, new Set())).toBeNull();
    },
  );
});
