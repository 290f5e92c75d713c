// What becomes of names that somebody refers to.

import { describe, expect, it } from 'vitest';
import { AskError } from '../../src/ask/ask.ts';
import { askInProcess } from '../../src/ask/in-process.ts';
import { GatewayError } from '../../src/errors.ts';
import { checkNames } from '../../src/references/check-names.ts';
import { createFakeDirectory, type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';

const alias = (handle: string) => ({
  index: 1,
  type: 'HS_ALIAS',
  data: { format: 'string', value: handle },
  ttl: 86_400,
});

const RECORDS: Readonly<Record<string, RecordBehaviour>> = {
  '10.1000/182': [urlValue('https://example.org/182')],
  '10.1000/gone': [urlValue('https://www.crossref.org/_deleted-doi/')],
  '10.1000/old': [alias('10.1000/182')],
  '10.1000/loop': [alias('10.1000/loop')],
  '10.1000/paypal': [urlValue('https://example.org/paypal')],
  '10.1000/pаypal.shop': [urlValue('https://example.org/other')],
  '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT'),
  '10.1000/slow': new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 7 } }),
};

async function check(names: readonly string[], isSample = false) {
  const gateway = await createTestGateway({ directory: createFakeDirectory({ records: RECORDS }) });
  try {
    return await checkNames({ ask: askInProcess(gateway.app.fetch), isSample }, names);
  } finally {
    await gateway.close();
  }
}

describe('a name that somebody refers to', () => {
  it('is found, with its target', async () => {
    expect(await check(['10.1000/182'])).toEqual([
      {
        name: '10.1000/182',
        url: 'https://doi.org/10.1000/182',
        status: 'found',
        target: 'https://example.org/182',
        alias: null,
        meant: [],
        notes: [],
        reason: null,
      },
    ]);
  });

  it('is absent, with what exists and is close', async () => {
    const [mistyped, invented] = await check(['10.1000/182).', '10.1000/nothing-like-it']);
    expect(mistyped).toMatchObject({
      status: 'absent',
      meant: [{ name: '10.1000/182', url: 'https://doi.org/10.1000/182' }],
      reason: null,
    });
    expect(invented).toMatchObject({ status: 'absent', meant: [], notes: [], reason: null });
  });

  it('cannot be told while the directory fails, and costs no other', async () => {
    const outcomes = await check(['10.1000/down', '10.1000/182', '10.1000/slow']);
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'found', 'unknown']);
    expect(outcomes[0]?.reason).toEqual({
      code: 'UPSTREAM_TIMEOUT',
      message: 'The directory is slow. Try again.',
      retryable: true,
      retryAfterSeconds: null,
    });
    expect(outcomes[2]?.reason).toMatchObject({ code: 'UPSTREAM_RATE_LIMITED', retryAfterSeconds: 7 });
  });

  it('is never absent where the directory is the sample alone', async () => {
    const outcomes = await check(['10.1000/182', '10.1000/181', '10.1000/182.'], true);
    expect(outcomes.map(({ status, reason }) => [status, reason?.code])).toEqual([
      ['found', undefined],
      ['unknown', 'NOT_IN_SAMPLE'],
      ['unknown', 'NOT_IN_SAMPLE'],
    ]);
    expect(outcomes[2]?.meant).toEqual([{ name: '10.1000/182', url: 'https://doi.org/10.1000/182' }]);
  });

  it('is told to be an alias, also of itself', async () => {
    const [old, loop] = await check(['10.1000/old', '10.1000/loop']);
    expect(old).toMatchObject({ status: 'found', alias: '10.1000/182', target: 'https://example.org/182' });
    expect(old?.notes).toEqual([{ code: 'ALIAS', message: 'It is an alias: 10.1000/182 stands for it.' }]);
    expect(loop).toMatchObject({ status: 'found', target: null });
    expect(loop?.notes.map(({ code }) => code)).toEqual(['ALIAS', 'ALIAS_LOOP']);
  });

  it('is told to lead to a tombstone', async () => {
    const [gone] = await check(['10.1000/gone']);
    expect(gone).toMatchObject({ status: 'found', notes: [{ code: 'TOMBSTONE' }] });
  });

  it('is told to be made of characters that look like others, whether it is there or not', async () => {
    const [there, absent] = await check(['10.1000/pаypal.shop', '10.1000/pаypal']);
    expect(there).toMatchObject({
      status: 'found',
      notes: [{ code: 'LOOK_ALIKE' }],
      meant: [{ name: '10.1000/paypal.shop' }],
    });
    expect(absent).toMatchObject({
      status: 'absent',
      notes: [{ code: 'LOOK_ALIKE' }],
      meant: [{ name: '10.1000/paypal' }],
    });
  });

  it('is invalid where it is no DOI name', async () => {
    const outcomes = await check(['978-3-16-148410-0', '10.1000/182']);
    expect(outcomes.map(({ status }) => status)).toEqual(['invalid', 'found']);
    expect(outcomes[0]).toMatchObject({ url: null, reason: { code: 'INVALID_DOI' } });
  });

  it('cannot be told where its operation is refused, which costs the names of others nothing', async () => {
    const endless = `10.1000/${'x'.repeat(500_000)}`;
    const outcomes = await check([endless, '10.1000/182']);
    expect(outcomes.map(({ status, reason }) => [status, reason?.code])).toEqual([
      ['unknown', 'LIMIT_EXCEEDED'],
      ['found', undefined],
    ]);
  });

  it('cannot be told where there is no gateway', async () => {
    const ask = async () => {
      throw new AskError('http://localhost:1/graphql could not be reached.');
    };
    expect(await checkNames({ ask, isSample: false }, ['10.1000/182'])).toMatchObject([
      { status: 'unknown', reason: { code: 'NO_GATEWAY', retryable: true } },
    ]);
  });

  it('ends with the signal and asks in operations that are not too large', async () => {
    const sizes: number[] = [];
    const leaving = new AbortController();
    const ask = async (_query: string, { names }: Readonly<Record<string, unknown>>) => {
      sizes.push((names as string[]).length);
      if (sizes.length === 3) leaving.abort(new Error('gone'));
      leaving.signal.throwIfAborted();
      return { data: null, errors: [] };
    };
    const names = Array.from({ length: 450 }, (_, i) => `10.1000/${i}`);
    await expect(checkNames({ ask, isSample: false }, names, leaving.signal)).rejects.toThrow('gone');
    expect(sizes).toEqual([100, 100, 100]);
  });
});
