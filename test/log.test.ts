// Errors in the log.

import { expect, test } from 'vitest';
import { GatewayError } from '../src/errors.ts';
import { createLog } from '../src/log.ts';

function logged(level: string, error: Error): Record<string, unknown> {
  let text = '';
  const write = (line: string) => {
    text += line;
  };
  createLog(level, { write }).warn({ err: error }, 'it failed');
  return (JSON.parse(text) as { err: Record<string, unknown> }).err;
}

const refused = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
const failure = new GatewayError('UPSTREAM_UNAVAILABLE', {
  details: { retryAfterSeconds: 3 },
  cause: new Error('no connection', { cause: refused }),
});

test('an expected failure is logged with its code, details and causes, and without stacks', () => {
  expect(logged('info', failure)).toEqual({
    type: 'GatewayError',
    message: failure.message,
    code: 'UPSTREAM_UNAVAILABLE',
    details: { retryAfterSeconds: 3 },
    causes: ['Error: no connection', 'AggregateError ECONNREFUSED: '],
  });
});

test('an expected failure has its stacks at debug level', () => {
  expect(logged('debug', failure)['stack']).toMatch(/^GatewayError: .+\n +at [\s\S]*no connection\n +at /);
});

test('an unexpected error has its stack at every level', () => {
  expect(logged('warn', new TypeError('a fault'))['stack']).toMatch(/^TypeError: a fault\n +at /);
});

test('a cycle of causes is logged with at most five causes', () => {
  const one = new Error('one');
  one.cause = one;
  expect(logged('info', new GatewayError('UPSTREAM_TIMEOUT', { cause: one }))['causes']).toHaveLength(5);
});

test('other members of an error and its causes are never logged, because they can hold passwords', () => {
  const secret = Object.assign(new Error('ERR max number of clients reached'), {
    command: { name: 'auth', args: ['canary'] },
  });
  for (const level of ['debug', 'info']) {
    for (const error of [
      secret,
      new Error('outer', { cause: secret }),
      new GatewayError('UPSTREAM_TIMEOUT', { cause: secret }),
    ]) {
      expect(JSON.stringify(logged(level, error))).toContain('max number of clients');
      expect(JSON.stringify(logged(level, error))).not.toContain('canary');
    }
  }
});
