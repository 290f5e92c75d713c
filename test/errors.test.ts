// The table of errors, compared with the contract and docs/errors.md.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TABLE_PAGES } from '../scripts/write-tables.ts';
import { ERROR_KINDS, type ErrorCode, GatewayError, isErrorCode } from '../src/errors.ts';
import { testTable } from './support/test-table.ts';

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const codes = Object.keys(ERROR_KINDS) as ErrorCode[];

testTable(codes)('an error has a message, an HTTP status and advice about a retry', (code) => {
  const { message, retryable, httpStatus } = ERROR_KINDS[code];
  expect(message).toMatch(/^[A-Z].{10,200}\.$/);
  const isOurs = /^(?:UPSTREAM|GATEWAY|DEADLINE|INTERNAL)_/.test(code);
  expect(Math.floor(httpStatus / 100)).toBe(isOurs ? 5 : 4);
  expect(/\bagain\b/.test(message)).toBe(retryable);
  const { name, code: ownCode, retryable: isRetryable } = new GatewayError(code);
  expect([name, ownCode, isRetryable]).toEqual(['GatewayError', code, retryable]);
});

/** Codes that are newer than the contract. */
const ADDED: readonly string[] = ['METADATA_OFF'];

test('the contract promises every code', () => {
  const contract = textOf('fixtures/contract.graphql');
  const list = /extensions\.code is one of.*?extensions\.retryable/s.exec(contract)?.[0] ?? '';
  const promised: readonly string[] = list.match(/\b[A-Z]+(?:_[A-Z]+)*\b/g) ?? [];
  expect(promised).toContain('INTERNAL_SERVER_ERROR');
  expect(codes.filter((code) => ![...promised, ...ADDED].includes(code))).toEqual([]);
});

test('docs/errors.md is generated from the table', () => {
  expect(textOf('../docs/errors.md'), 'run `npm run tables`').toBe(TABLE_PAGES['docs/errors.md']);
});

describe('a GatewayError', () => {
  test('has the message of the table unless the caller gives another', () => {
    expect(new GatewayError('INVALID_DOI').message).toBe(ERROR_KINDS.INVALID_DOI.message);
    expect(new GatewayError('INVALID_DOI', { message: 'No.' }).message).toBe('No.');
  });

  test('has details for the client and a cause for the log', () => {
    const cause = new Error('socket hang up');
    const error = new GatewayError('UPSTREAM_TIMEOUT', { details: { position: 3 }, cause });
    expect([error.details, error.cause]).toEqual([{ position: 3 }, cause]);
    expect(new GatewayError('INVALID_DOI').details).toEqual({});
  });
});

test('only a code of the table is known', () => {
  expect(codes.every(isErrorCode)).toBe(true);
  for (const other of ['', 'invalid_doi', 'constructor', '__proto__', 'toString', 0, null, undefined, {}]) {
    expect(isErrorCode(other), String(other)).toBe(false);
  }
});
