// The data of a handle value in every format, and its times. test/handle has the rules of decoding.

import { expect, test } from 'vitest';
import { MAX_JSON_CHARACTERS } from '../../src/handle/typed-data.ts';
import { recordOf, value } from './one-record.ts';

const DATA = `__typename format
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
const references = [{ handle: '200/1', index: 300 }];

test.each<[string, unknown, string, object, string | null]>([
  [
    'string',
    'https://example.org/é',
    'String',
    { value: 'https://example.org/é', json: null },
    'https://example.org/é',
  ],
  ['base64', 'w6k=', 'Binary', { base64: 'w6k=', hex: 'c3a9', byteLength: 2, text: 'é' }, 'é'],
  ['hex', 'FFfe00', 'Binary', { base64: '//4A', hex: 'fffe00', byteLength: 3, text: null }, null],
  [
    'admin',
    admin,
    'Admin',
    {
      ...admin,
      grants: [
        ...['DELETE_HANDLE', 'MODIFY_VALUE', 'REMOVE_VALUE', 'ADD_VALUE', 'MODIFY_ADMIN', 'REMOVE_ADMIN'],
        ...['ADD_ADMIN', 'READ_VALUE'],
      ],
      legacyByteLength: false,
    },
    null,
  ],
  ['vlist', references, 'ValueList', { references }, null],
  [
    'site',
    site,
    'Site',
    {
      site,
      servers: [
        { address: '192.0.2.1', interfaces: [tcp, { ...udp, query: false, admin: false }] },
        { address: '2001:db8::1', interfaces: [] },
      ],
    },
    null,
  ],
  ['key', key, 'Key', { key }, null],
  ['x-new', [1, { a: 'b' }], 'Other', { other: [1, { a: 'b' }] }, null],
  ['x-empty', undefined, 'Other', { other: null }, null],
])('data of the format %s has its own type and fields', async (format, wire, type, fields, text) => {
  const wireValue = value(1, 'DATA', { data: { format, value: wire } });
  const { values } = await recordOf([wireValue], `values { text data { ${DATA} } }`);
  expect(values).toEqual([{ text, data: { __typename: `Handle${type}Data`, format, ...fields } }]);
});

test('the format decides the type of the data, not the type of the value', async () => {
  const { values } = await recordOf(
    [
      value(100, 'HS_ADMIN', { data: { format: 'base64', value: 'AAE=' } }),
      value(1, 'URL', { data: { format: 'hex', value: '6162' } }),
      value(2, '10320/loc', { data: { format: 'admin', value: { ...admin, legacyByteLength: true } } }),
    ],
    'values { type text data { __typename ... on HandleAdminData { legacyByteLength } } }',
  );
  expect(values).toEqual([
    { type: 'HS_ADMIN', text: '\0\u0001', data: { __typename: 'HandleBinaryData' } },
    { type: 'URL', text: 'ab', data: { __typename: 'HandleBinaryData' } },
    { type: '10320/loc', text: null, data: { __typename: 'HandleAdminData', legacyByteLength: true } },
  ]);
});

test.each([
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
])('json of the text %.30s is an object, a list or null: %j', async (text, json) => {
  const { values } = await recordOf(
    [value(1, '21.T11148/076759916209e5d62bd5', { data: { format: 'string', value: text } })],
    'values { data { ... on HandleStringData { value json } } }',
  );
  expect(values).toEqual([{ data: { value: text, json } }]);
});

test.each([
  [{ timestamp: '2020-07-29T04:52:30.120+02:00' }, { timestamp: '2020-07-29T04:52:30.120+02:00' }],
  [{ timestamp: '20200729T045230Z' }, { timestamp: '2020-07-29T04:52:30Z' }],
  [{ timestamp: 'yesterday' }, { timestamp: null }],
  [{ timestamp: 1_596_000_000 }, { timestamp: null }],
  [{ ttl: '2026-11-20T13:00:00+01:00' }, { ttl: null, expiresAt: '2026-11-20T13:00:00+01:00' }],
])('the times %j of a value become %j', async (wire, times) => {
  const { values } = await recordOf([value(1, 'URL', wire)], `values { ${Object.keys(times).join(' ')} }`);
  expect(values).toEqual([times]);
});
