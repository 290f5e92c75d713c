// Both directories keep one contract: the embedded directory and the proxy.

import { afterAll, describe, expect, test } from 'vitest';
import type { Directory } from '../../src/directory/directory.ts';
import type { HandleRecord } from '../../src/handle/record.ts';
import { timestampOf } from '../../src/handle/value.ts';
import { unfrozenIn } from '../handle/wire.ts';
import { testTable } from '../support/test-table.ts';
import { handleName, NOW } from '../upstream/proxy-under-test.ts';
import { OTHER_HANDLES, OTHER_NAMES, startContractDirectories } from './contract-directories.ts';

const { embedded, proxy, hardNames, close } = await startContractDirectories();
afterAll(close);

describe.each<[string, Directory]>([
  ['the embedded directory', embedded],
  ['the proxy', proxy],
])('%s', (_, directory) => {
  async function resolve(name: string): Promise<HandleRecord> {
    return directory.resolve(handleName(name));
  }

  async function whichRa(names: readonly string[]) {
    return Promise.all(directory.whichRa(names.map(handleName)));
  }

  describe('resolves', () => {
    test('a registered name to its record', async () => {
      const record = await resolve('10.1021/jacs.5c01100');
      expect(record).toMatchObject({
        responseCode: 1,
        status: 'SUCCESS',
        handle: '10.1021/jacs.5c01100',
        message: null,
        fetchedAt: NOW,
        stale: false,
      });
      expect(record.values[0]).toMatchObject({
        index: 1,
        type: 'URL',
        data: { kind: 'string', value: 'https://pubs.acs.org/doi/10.1021/jacs.5c01100' },
      });
      expect(record.values.slice(0, 1).map(timestampOf)).toEqual(['2025-02-28T14:08:23Z']);
      expect(record.freshUntil).toBe(NOW + 86_400_000);
    });

    test('an unregistered name to its absence', async () => {
      const { responseCode, status, handle, values, freshUntil } = await resolve('10.5555/Missing');
      expect({ responseCode, status, handle, values }).toEqual({
        responseCode: 100,
        status: 'HANDLE_NOT_FOUND',
        handle: '10.5555/Missing',
        values: [],
      });
      expect(freshUntil).toBe(NOW + 300_000);
    });

    test('a name without values to the absence of values', async () => {
      const { responseCode, status, values, freshUntil } = await resolve('10.5555/valueless');
      expect({ responseCode, status, values }).toEqual({
        responseCode: 200,
        status: 'VALUES_NOT_FOUND',
        values: [],
      });
      expect(freshUntil).toBe(NOW + 300_000);
    });

    test('values in the order of the directory', async () => {
      expect((await resolve('10.1000/1')).values.map(({ index }) => index)).toEqual([100, 1]);
    });

    testTable([
      ...['10.SERV/CROSSREF', '10.serv/crossref', '10.1021/JACS.5C01100', '0.na/10.5555', '10/P54K'],
      '20.500.PREFIX/Item',
    ])('a name in any letter case, and returns it in the letter case of the look-up', async (name) => {
      expect(await resolve(name)).toMatchObject({ status: 'SUCCESS', handle: name });
    });

    testTable([
      ['other than Basic Latin in another case', '10.1000/CAF\u00c9'],
      ['a letter and its accent for one of them', '10.1000/cafe\u0301'],
      ['k for the Kelvin sign', '10.1000/k'],
      ['i and a dot for one letter', '10.1000/i\u0307'],
      ['one slash more', '10.1000/1/'],
      ['one slash for two', '10.1000/dbl2'],
      ['a space at the end', '10.1000/1 '],
      ['a full-width digit', '10.1000/１'],
      ['another case of the suffix after a prefix other than 10', '2381/Abc'],
    ])('no other spelling of a name', async (__, name) => {
      expect(await resolve(name)).toMatchObject({ status: 'HANDLE_NOT_FOUND', handle: name });
    });

    test('a prefix to the record of the prefix', async () => {
      const record = await resolve('10.5555');
      expect(record).toMatchObject({ status: 'SUCCESS', handle: '10.5555' });
      expect(record.values).toEqual((await resolve('0.NA/10.5555')).values);
      expect(await resolve('10.99999')).toMatchObject({ status: 'HANDLE_NOT_FOUND', handle: '10.99999' });
    });

    testTable([...OTHER_NAMES, ...OTHER_HANDLES])(
      'each name that is hard to send to its own record',
      async (name) => {
        const { handle, values } = await resolve(name);
        expect({ handle, types: values.map(({ type }) => type) }).toEqual({ handle: name, types: [name] });
      },
    );

    test('each real DOI name that breaks careless code to its own record', async () => {
      const records = await Promise.all(hardNames.map(resolve));
      expect(records.map(({ handle }) => handle)).toEqual(hardNames);
      expect(records.map(({ values }) => values.map(({ type }) => type))).toEqual(
        hardNames.map((name) => [name]),
      );
    });

    testTable(['10.serv/crossref', '10.5555/key', '10.5555/vlist', '10.5555/missing', '10.5555/valueless'])(
      'a name to a frozen record',
      async (name) => {
        expect(unfrozenIn(await resolve(name))).toEqual([]);
      },
    );
  });

  describe('returns the registration agency', () => {
    const A_DAY = { fetchedAt: NOW, freshUntil: NOW + 86_400_000, stale: false };
    const FOUND = { status: 'FOUND', agency: 'Crossref', ...A_DAY };
    const EIDR = { status: 'FOUND', agency: 'EIDR', ...A_DAY };
    const DOES_NOT_EXIST = {
      status: 'DOES_NOT_EXIST',
      agency: null,
      fetchedAt: NOW,
      freshUntil: NOW + 300_000,
      stale: false,
    };
    const INVALID_DOI = { status: 'INVALID_DOI', agency: null, ...A_DAY };
    const UNKNOWN = { status: 'UNKNOWN', agency: null, ...A_DAY };

    test('of names in their order, with duplicates', async () => {
      expect(
        await whichRa([
          '10.1021/jacs.5c01100',
          '10.5555/missing',
          '10.5240/B1FA-0EEC-C316-3316-3A73-L',
          'notadoi',
          '10.1000/1',
          '10.1021/JACS.5c01100',
          '10.5555/missing',
          '10.1000/1',
        ]),
      ).toEqual([FOUND, DOES_NOT_EXIST, EIDR, INVALID_DOI, UNKNOWN, FOUND, DOES_NOT_EXIST, UNKNOWN]);
    });

    test('of no names', () => {
      expect(directory.whichRa([])).toEqual([]);
    });

    testTable([
      ['10.1002', FOUND],
      ['10.5240', EIDR],
      ['10.99999', DOES_NOT_EXIST],
      ['10.1002.5', DOES_NOT_EXIST],
    ])('of a prefix', async (prefix, expected) => {
      expect(await whichRa([prefix])).toEqual([expected]);
    });

    test('of a subdivided prefix without the agency of its first part', async () => {
      expect(await whichRa(['10.1021.5/x'])).toEqual([UNKNOWN]);
    });

    testTable([
      '10/p54k',
      '0.NA/10.5555',
      '10.serv/crossref',
      'doi:10.1000/1',
      '10.1000/',
      '10.1000/a\u0007',
      ' ',
    ])('but not of a handle or text that is not a DOI name', async (name) => {
      expect(await whichRa([name])).toEqual([INVALID_DOI]);
    });

    test('of names with commas', async () => {
      expect(
        await whichRa([
          '10.1000/a,b',
          '10.1000/a,10.1000/1',
          '10.1021/jacs.5c01100',
          '10.1000/,',
          '10.1000/a,c',
        ]),
      ).toEqual([UNKNOWN, UNKNOWN, FOUND, UNKNOWN, DOES_NOT_EXIST]);
    });

    test('of all names that are hard to send', async () => {
      expect(await whichRa(OTHER_NAMES)).toEqual(OTHER_NAMES.map(() => UNKNOWN));
      expect((await whichRa(hardNames)).map(({ status }) => status)).not.toContain('INVALID_DOI');
      expect((await whichRa(hardNames)).map(({ status }) => status)).not.toContain('DOES_NOT_EXIST');
    });

    test('of a name in any letter case, but in no other spelling', async () => {
      expect(await whichRa(['10.1000/CAF\u00e9', '10.1000/caf\u00c9', '10.1000/cafe\u0301'])).toEqual([
        UNKNOWN,
        DOES_NOT_EXIST,
        DOES_NOT_EXIST,
      ]);
    });

    test('and the results are frozen', async () => {
      const names = ['10.1021/jacs.5c01100', '10.1000/1', '10.5555/missing', 'notadoi'];
      for (const result of await whichRa(names)) expect(result).toSatisfy(Object.isFrozen);
    });
  });

  describe('rejects with the reason of an aborted signal', () => {
    const reason = new Error('the client left');
    const signal = AbortSignal.abort(reason);

    test('a record', async () => {
      await expect(directory.resolve(handleName('10.1000/1'), { signal })).rejects.toBe(reason);
      await expect(directory.resolve(handleName('10.5555/missing'), { signal })).rejects.toBe(reason);
    });

    test('the agency of each name', async () => {
      const results = directory.whichRa(['10.1000/1', 'notadoi', '10.1002'].map(handleName), { signal });
      expect(results).toHaveLength(3);
      for (const result of await Promise.allSettled(results)) {
        expect(result).toEqual({ status: 'rejected', reason });
      }
    });
  });

  test('has a description in one sentence', () => {
    expect(directory.description.description).toMatch(/^The .+\.$/);
  });
});
