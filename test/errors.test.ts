// The one table of errors, held against the contract and docs/errors.md.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TABLE_PAGES } from '../scripts/write-tables.ts';
import { ERROR_KINDS, type ErrorCode, GatewayError, isErrorCode } from '../src/errors.ts';
import { testTable } from './support/test-table.ts';

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const codes = Object.keys(ERROR_KINDS) as ErrorCode[];

describe.each(codes)('the code %s', (code) => {
  const { message, retryable, httpStatus } = ERROR_KINDS[code];

  test('has a message in whole sentences', () => {
    expect(message).toMatch(/^[A-Z].{10,200}\.$/);
  });

  test('has an HTTP status that says whose fault it is', () => {
    const isOurs = /^(?:UPSTREAM|GATEWAY|DEADLINE|INTERNAL)_/.test(code);
    expect(Math.floor(httpStatus / 100)).toBe(isOurs ? 5 : 4);
  });

  test('says whether a second try may help, and only then tells the client to try again', () => {
    expect(typeof retryable).toBe('boolean');
    expect(/\bagain\b/.test(message)).toBe(retryable);
  });
});

/** The contract's list grows. */
const ADDED: readonly string[] = ['METADATA_OFF'];

test('every code is one that the contract promises', () => {
  const contract = textOf('fixtures/contract.graphql');
  const list = /extensions\.code is one of.*?extensions\.retryable/s.exec(contract)?.[0] ?? '';
  const promised: readonly string[] = list.match(/\b[A-Z]+(?:_[A-Z]+)*\b/g) ?? [];
  expect(promised).toContain('INTERNAL_SERVER_ERROR');
  expect(codes.filter((code) => ![...promised, ...ADDED].includes(code))).toEqual([]);
});

test('docs/errors.md is what the table says', () => {
  expect(textOf('../docs/errors.md'), 'run `npm run tables`').toBe(TABLE_PAGES['docs/errors.md']);
});

describe('a GatewayError', () => {
  test('has the message of the table unless it is given a better one', () => {
    expect(new GatewayError('INVALID_DOI').message).toBe(ERROR_KINDS.INVALID_DOI.message);
    expect(new GatewayError('INVALID_DOI', { message: 'No.' }).message).toBe('No.');
  });

  testTable(codes)('of the code %s is as retryable as the table says', (code) => {
    const error = new GatewayError(code);
    expect([error.name, error.code, error.retryable]).toEqual([
      'GatewayError',
      code,
      ERROR_KINDS[code].retryable,
    ]);
  });

  test('keeps details for the client and the cause for the log', () => {
    const cause = new Error('socket hang up');
    const error = new GatewayError('UPSTREAM_TIMEOUT', { details: { position: 3 }, cause });
    expect([error.details, error.cause]).toEqual([{ position: 3 }, cause]);
    expect(new GatewayError('INVALID_DOI').details).toEqual({});
  });
});

test('a code is known when the table has it itself', () => {
  expect(codes.every(isErrorCode)).toBe(true);
  for (const other of ['', 'invalid_doi', 'constructor', '__proto__', 'toString', 0, null, undefined, {}]) {
    expect(isErrorCode(other), String(other)).toBe(false);
  }
});
