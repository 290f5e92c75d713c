// The data of a handle value in every format, and times that keep their text.

import { describe, expect, test } from 'vitest';
import { MAX_JSON_CHARACTERS } from '../../src/handle/typed-data.ts';
import { recordOf, value } from './one-record.ts';

describe('data', () => {
  const FRAGMENTS = `__typename format
    ... on HandleStringData { value json }
    ... on HandleBinaryData { base64 hex byteLength text }
    ... on HandleAdminData { handle index permissions grants legacyByteLength }
    ... on HandleValueListData { references { handle index } }
    ... on HandleSiteData { site servers { address interfaces { protocol port query admin } } }
    ... on HandleKeyData { key }
    ... on HandleOtherData { other }`;
  const admin = { handle: '0.na/10.1000', index: 200, permissions: '011111110010' };
  const tcp = { query: true, admin: true, protocol: 'TCP', port: 2641 };
  const udp = { protocol: 'UDP', port: 2641 };
  const servers = [
    { address: '192.0.2.1', interfaces: [tcp, { protocol: 'TCP' }, null, udp] },
    { address: '2001:db8::1' },
    { interfaces: [tcp] },
    'no server',
  ];
  const site = { version: 1, servers, ok: true, none: null };
  const key = { kty: 'RSA', n: 'AQAB', e: 'AQAB' };
  const vlist = [{ handle: '200/1', index: 300 }];

  interface Row {
    readonly what: string;
    readonly wire: unknown;
    readonly data: Readonly<Record<string, unknown>>;
    readonly text: string | null;
  }
  const rows: readonly Row[] = [
    {
      what: 'string is text',
      wire: { format: 'string', value: 'https://example.org/é' },
      data: { __typename: 'HandleStringData', format: 'string', value: 'https://example.org/é', json: null },
      text: 'https://example.org/é',
    },
    {
      what: 'base64 is bytes, and text where they are UTF-8',
      wire: { format: 'base64', value: 'w6k=' },
      data: {
        __typename: 'HandleBinaryData',
        format: 'base64',
        base64: 'w6k=',
        hex: 'c3a9',
        byteLength: 2,
        text: 'é',
      },
      text: 'é',
    },
    {
      what: 'hex is bytes, without text where they are not UTF-8',
      wire: { format: 'hex', value: 'FFfe00' },
      data: {
        __typename: 'HandleBinaryData',
        format: 'hex',
        base64: '//4A',
        hex: 'fffe00',
        byteLength: 3,
        text: null,
      },
      text: null,
    },
    {
      what: 'admin is an administrator with permissions',
      wire: { format: 'admin', value: admin },
      data: {
        __typename: 'HandleAdminData',
        format: 'admin',
        ...admin,
        grants: [
          'DELETE_HANDLE',
          'MODIFY_VALUE',
          'REMOVE_VALUE',
          'ADD_VALUE',
          'MODIFY_ADMIN',
          'REMOVE_ADMIN',
          'ADD_ADMIN',
          'READ_VALUE',
        ],
        legacyByteLength: false,
      },
      text: null,
    },
    {
      what: 'vlist is references',
      wire: { format: 'vlist', value: vlist },
      data: { __typename: 'HandleValueListData', format: 'vlist', references: vlist },
      text: null,
    },
    {
      what: 'site is JSON as it came, and the servers and interfaces that can be read from it',
      wire: { format: 'site', value: site },
      data: {
        __typename: 'HandleSiteData',
        format: 'site',
        site,
        servers: [
          { address: '192.0.2.1', interfaces: [tcp, { ...udp, query: false, admin: false }] },
          { address: '2001:db8::1', interfaces: [] },
        ],
      },
      text: null,
    },
    {
      what: 'key is JSON as it came',
      wire: { format: 'key', value: key },
      data: { __typename: 'HandleKeyData', format: 'key', key },
      text: null,
    },
    {
      what: 'another format is kept as it came',
      wire: { format: 'x-new', value: [1, { a: 'b' }] },
      data: { __typename: 'HandleOtherData', format: 'x-new', other: [1, { a: 'b' }] },
      text: null,
    },
    {
      what: 'another format without a value is null',
      wire: { format: 'x-empty' },
      data: { __typename: 'HandleOtherData', format: 'x-empty', other: null },
      text: null,
    },
  ];
  for (const { what, wire, data, text } of rows) {
    test(what, async () => {
      const { values } = await recordOf(
        [value(1, 'DATA', { data: wire })],
        `values { text data { ${FRAGMENTS} } }`,
      );
      expect(values).toEqual([{ text, data }]);
    });
  }

  const texts = [
    ['{"id": 7, "parts": ["é"]}', { id: 7, parts: ['é'] }],
    [' \n[1, null]', [1, null]],
    ['{"id": 7', null],
    ['7', null],
    ['"text"', null],
    ['null', null],
    ['{"id": 12345678901234567890}', null],
    ['{"__proto__": {}}', null],
    [`${'['.repeat(40)}${']'.repeat(40)}`, null],
    [JSON.stringify(['x'.repeat(MAX_JSON_CHARACTERS)]), null],
  ] as const;
  for (const [text, json] of texts) {
    test(`the text ${text.slice(0, 30)} is ${JSON.stringify(json)} as JSON`, async () => {
      const wire = { format: 'string', value: text };
      const { values } = await recordOf(
        [value(1, '21.T11148/076759916209e5d62bd5', { data: wire })],
        'values { data { ... on HandleStringData { value json } } }',
      );
      expect(values).toEqual([{ data: { value: text, json } }]);
    });
  }

  test('has the format that it has, whatever its type says: HS_ADMIN as base64, URL as hex', async () => {
    const { values } = await recordOf(
      [
        value(100, 'HS_ADMIN', { data: { format: 'base64', value: 'AAE=' } }),
        value(1, 'URL', { data: { format: 'hex', value: '6162' } }),
        value(2, '10320/loc', { data: { format: 'admin', value: admin } }),
      ],
      'values { type text data { __typename format } }',
    );
    expect(values).toEqual([
      { type: 'HS_ADMIN', text: '\0\u0001', data: { __typename: 'HandleBinaryData', format: 'base64' } },
      { type: 'URL', text: 'ab', data: { __typename: 'HandleBinaryData', format: 'hex' } },
      { type: '10320/loc', text: null, data: { __typename: 'HandleAdminData', format: 'admin' } },
    ]);
  });

  const masks = [
    { permissions: '100000000000', grants: ['LIST_HANDLES'] },
    { permissions: '000000000001', grants: ['ADD_HANDLE'] },
    { permissions: '0001100000000000', grants: ['LIST_HANDLES'] },
    { permissions: '', grants: [] },
    { permissions: '1', grants: ['ADD_HANDLE'] },
  ];
  for (const { permissions, grants } of masks) {
    test(`the permissions "${permissions}" grant [${grants}]`, async () => {
      const { values } = await recordOf(
        [value(100, 'HS_ADMIN', { data: { format: 'admin', value: { ...admin, permissions } } })],
        'values { data { ... on HandleAdminData { permissions grants } } }',
      );
      expect(values).toEqual([{ data: { permissions, grants } }]);
    });
  }

  test('says when an administrator is stored in the old encoding', async () => {
    const { values } = await recordOf(
      [value(100, 'HS_ADMIN', { data: { format: 'admin', value: { ...admin, legacyByteLength: true } } })],
      'values { data { ... on HandleAdminData { legacyByteLength } } }',
    );
    expect(values).toEqual([{ data: { legacyByteLength: true } }]);
  });
});

describe('times', () => {
  const rows = [
    { wire: '2020-07-29T04:52:30Z', told: '2020-07-29T04:52:30Z' },
    { wire: '2020-07-29T04:52:59Z', told: '2020-07-29T04:52:59Z' },
    { wire: '2020-07-29T04:52:30.120Z', told: '2020-07-29T04:52:30.120Z' },
    { wire: '2020-07-29T04:52:30+02:00', told: '2020-07-29T04:52:30+02:00' },
    { wire: '20200729T045230Z', told: '2020-07-29T04:52:30Z' },
    { wire: '2020-07-29T04:52:30+0000', told: '2020-07-29T04:52:30Z' },
    { wire: '2020-07-29', told: '2020-07-29T00:00:00Z' },
    { wire: 'yesterday', told: null },
    { wire: '2020-13-40T99:99:99Z', told: null },
    { wire: 1_596_000_000, told: null },
  ];
  for (const { wire, told } of rows) {
    test(`${wire} is told as ${told}`, async () => {
      const { values } = await recordOf([value(1, 'URL', { timestamp: wire })], 'values { timestamp }');
      expect(values).toEqual([{ timestamp: told }]);
    });
  }

  test('of an absolute expiry keep their text, and there is no ttl then', async () => {
    const { values } = await recordOf(
      [value(1, 'URL', { ttl: '2026-11-20T13:00:00+01:00' })],
      'values { ttl expiresAt }',
    );
    expect(values).toEqual([{ ttl: null, expiresAt: '2026-11-20T13:00:00+01:00' }]);
  });
});
