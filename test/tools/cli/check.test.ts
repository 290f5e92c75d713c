import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { Interruption } from '../../../src/tools/cli/run-doi.ts';
import { NoGatewayError } from '../../../src/tools/gateway-client/send-operation.ts';
import { urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, folderWith, jsonLines, runCli } from './run-cli.ts';

const URL_VALUE = [urlValue('https://example.org/')];
const DOWN = new GatewayError('UPSTREAM_UNAVAILABLE');

/** The names of the look-ups, in order. */
const lookedUp = ({ calls }: { calls: { resolve: readonly { name: string }[] } }) =>
  calls.resolve.map(({ name }) => name);

describe('doi check', () => {
  test('writes the outcome of each reference, in order, and counts the outcomes', async () => {
    const gateway = await fakeGateway({ records: { '10.1000/182': URL_VALUE } });
    const { code, stdout, stderr } = await runCli(['check'], {
      gateway,
      stdin: 'See doi:10.1000/182,\nand doi:10.1000/128.\nAgain 10.1000/182 and doi:10.9999/invented-one.\n',
    });
    expect(stdout).toBe(
      [
        '-:1:5: found: 10.1000/182',
        '-:2:5: absent: 10.1000/128 (did you mean 10.1000/182?)',
        '-:3:7: found: 10.1000/182',
        '-:3:23: absent: 10.9999/invented-one',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('4 references: 2 found, 2 absent, 0 cannot tell\n');
    expect(code).toBe(1);
  });

  test('exits with 0 if all references are found, and writes no found references with --quiet', async () => {
    const gateway = await fakeGateway({ records: { '10.1000/182': URL_VALUE } });
    const ended = await runCli(['check', '-q'], { gateway, stdin: '10.1000/182' });
    expect(ended).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '1 reference: 1 found, 0 absent, 0 cannot tell\n',
    });
  });

  test('opens no gateway for a text without references', async () => {
    expect(await runCli(['check'], { stdin: 'none' })).toMatchObject({ code: 0, stdout: '' });
  });

  test('looks up each name once, even if it is in several files or letter cases', async () => {
    const gateway = await fakeGateway({ records: { '10.1000/abc': URL_VALUE } });
    const folder = await folderWith({ a: '10.1000/abc 10.1000/ABC', b: 'https://doi.org/10.1000/Abc' });
    const { stdout } = await runCli(['check', join(folder, 'a'), join(folder, 'b')], { gateway });
    expect(stdout).toContain(`${join(folder, 'b')}:1:1: found: 10.1000/Abc\n`);
    expect(lookedUp(gateway)).toEqual(['10.1000/abc']);
  });

  test('looks up an absent name again with the ending that the finder cut, such as .pdf', async () => {
    const gateway = await fakeGateway({ records: { '10.1000/a.pdf': URL_VALUE, '10.1000/b': URL_VALUE } });
    const { code, stdout } = await runCli(['check'], {
      gateway,
      stdin: 'https://doi.org/10.1000/a.pdf https://doi.org/10.1000/b.pdf https://doi.org/10.1000/c.pdf.',
    });
    expect(code).toBe(1);
    expect(stdout).toBe('-:1:1: found: 10.1000/a.pdf\n-:1:31: found: 10.1000/b\n-:1:61: absent: 10.1000/c\n');
  });

  test('looks up an absent name again with the punctuation after the name', async () => {
    const names = ['10.1136/gut.0500138..', '10.1124/mol...', '10.1000/a)', '10.1000/b;', '10.1000/c>'];
    const gateway = await fakeGateway({
      records: Object.fromEntries([...names, '10.1000/d'].map((name) => [name, URL_VALUE])),
    });
    const forms = [
      (name: string) => `See ${name} and others.`,
      (name: string) => `@article{k,\n  doi = {${name}},\n}`,
      (name: string) => `DO  - ${name}`,
      (name: string) => `<doi>${name.replace('>', '&gt;')}</doi>`,
      (name: string) => `"${name}","Title",2001`,
    ];
    const stdin = names.flatMap((name) => forms.map((form) => form(name))).join('\n\n');
    const { code, stdout } = await runCli(['check'], { gateway, stdin: `${stdin}\n\ndoi:10.1000/d.` });
    const found = names.flatMap((name) => forms.map(() => name));
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.replace(/^\S+ /, '')),
    ).toEqual([...found, '10.1000/d'].map((name) => `found: ${name}`));
    expect(code).toBe(0);
    expect(lookedUp(gateway)).not.toContain('10.1000/d.');
  });

  test('looks up many names in few operations', async () => {
    const names = Array.from({ length: 450 }, (_, index) => `10.1000/n${index}`);
    const gateway = await fakeGateway({
      records: Object.fromEntries(names.map((name) => [name, URL_VALUE])),
    });
    const { code, stdout } = await runCli(['check', '--json'], { gateway, stdin: names.join('\n') });
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ name }) => name)).toEqual(names);
    // The operations have 10, 20, 40, 80, 100, 100 and 100 names.
    expect(gateway.operations()).toBe(7);
    expect(gateway.calls.resolve).toHaveLength(450);
  });

  test.each([3, null])(
    'sends fewer names at once if the gateway allows few look-ups (known limit: %j)',
    async (maxLookups) => {
      const names = Array.from({ length: 20 }, (_, index) => `10.1000/n${index}`);
      const records = Object.fromEntries(names.map((name) => [name, URL_VALUE]));
      const gateway = await fakeGateway({ records }, { maxLookups }, { MAX_LOOKUPS: '3' });
      const ended = await runCli(['check', '-q'], { gateway, stdin: names.join('\n') });
      expect(ended).toMatchObject({ code: 0, stdout: '', waits: [] });
    },
  );

  test('never writes absent for a failure, retries after a wait, and exits with 3 instead of 1', async () => {
    const gateway = await fakeGateway({ records: { '10.1000/182': URL_VALUE, '10.1000/down': DOWN } });
    const { code, stdout, waits } = await runCli(['check'], {
      gateway,
      stdin: '10.1000/182 10.1000/down 10.1000/none',
    });
    expect(code).toBe(3);
    expect(stdout).toContain('cannot tell: 10.1000/down (The directory is down. Try again.)\n');
    expect(stdout).toContain('absent: 10.1000/none\n');
    expect(waits).toEqual([1_000, 2_000]);
    expect(lookedUp(gateway).filter((name) => name === '10.1000/down')).toHaveLength(3);
  });

  test('waits for `retryAfterSeconds`', async () => {
    const limited = new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 7 } });
    const gateway = await fakeGateway({ records: { '10.1000/1': limited } });
    const { waits, stderr } = await runCli(['check'], { gateway, stdin: '10.1000/1' });
    expect(waits).toEqual([7_000, 7_000]);
    expect(stderr).toContain('doi check: some look-ups failed; next try in 7 s.\n');
  });

  test.each([
    [
      'cannot be opened',
      async () => Promise.reject(new NoGatewayError('https://x.test/graphql could not be reached.')),
    ],
    [
      'fails',
      async () => ({
        ...(await fakeGateway()),
        send: () => Promise.reject(new NoGatewayError('https://x.test/graphql could not be reached.')),
      }),
    ],
  ])('writes cannot tell if the gateway %s', async (_, open) => {
    const ended = await runCli(['check'], { open, stdin: '10.1000/1' });
    expect(ended.code).toBe(3);
    expect(ended.stdout).toBe(
      '-:1:1: cannot tell: 10.1000/1 (https://x.test/graphql could not be reached.)\n',
    );
  });

  test('writes cannot tell for names that the sample lacks, and names the option --live', async () => {
    const gateway = await fakeGateway({ records: { '10.1000/182': URL_VALUE } }, { isSample: true });
    const { code, stdout, stderr } = await runCli(['check'], { gateway, stdin: '10.1000/182 10.1000/128' });
    expect(code).toBe(3);
    expect(stdout).toContain('found: 10.1000/182\n');
    expect(stdout).toContain('cannot tell: 10.1000/128 (Not among the records of the bundled sample.)\n');
    expect(stderr).toContain('To use the live DOI system:  CONTACT=you@example.org doi check --live …\n');
  });

  test('writes cannot tell for a name with bytes that are not UTF-8, without a look-up', async () => {
    const gateway = await fakeGateway();
    const stdin = [Buffer.concat([Buffer.from('doi:10.1000/a'), Buffer.of(0xe9), Buffer.from('b')])];
    const { code, stdout } = await runCli(['check'], { gateway, stdin });
    expect(code).toBe(3);
    expect(stdout).toContain('It contains bytes that are not UTF-8.');
    expect(gateway.calls.resolve).toEqual([]);
  });

  test('writes all fields as JSON Lines', async () => {
    const gateway = await fakeGateway({ records: { '10.1000/182': URL_VALUE } });
    const { stdout } = await runCli(['check', '--json'], {
      gateway,
      stdin: '<a href="https://doi.org/10.1000/182/full">',
    });
    expect(jsonLines(stdout)).toEqual([
      {
        ...{ file: '-', line: 1, column: 10, name: '10.1000/182', text: 'https://doi.org/10.1000/182' },
        ...{ repaired: false, outcome: 'found', asked: '2026-11-20T12:00:00Z', reason: null, meant: [] },
        ...{ isLookalike: false, looksLike: null, alias: null, tombstone: null },
      },
    ]);
  });

  test('reads the readable files, and exits with 2 because of the unreadable files', async () => {
    const gateway = await fakeGateway({ records: { '10.1000/1': URL_VALUE } });
    const folder = await folderWith({ a: '10.1000/1' });
    const ended = await runCli(['check', join(folder, 'none'), join(folder, 'a')], { gateway });
    expect(ended).toMatchObject({ code: 2, stdout: `${join(folder, 'a')}:1:1: found: 10.1000/1\n` });
    expect(ended.stderr).toContain('none: there is no such file.');
  });

  test('ends with 130 when it is interrupted', async () => {
    const gateway = await fakeGateway();
    const stop = new AbortController();
    const ended = await runCli(['check'], {
      gateway: {
        ...gateway,
        send(_query, _variables, signal) {
          stop.abort(new Interruption(2));
          return Promise.reject(signal?.reason);
        },
      },
      stdin: '10.1000/1',
      signal: stop.signal,
    });
    expect(ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: 'doi check: interrupted. 0 references: 0 found, 0 absent, 0 cannot tell\n',
    });
  });
});
