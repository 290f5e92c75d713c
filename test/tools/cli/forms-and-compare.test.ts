import { describe, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

describe('doi forms', () => {
  test('writes one form of each name on a line, and opens no gateway', async () => {
    expect(await runCli(['forms', '10.1000/456#789', 'doi:10.1000/1', '--form', 'url'])).toMatchObject({
      code: 0,
      stdout: 'https://doi.org/10.1000/456%23789\nhttps://doi.org/10.1000/1\n',
      stderr: '',
    });
  });

  test('writes several forms in the given order', async () => {
    const { stdout } = await runCli(['forms', '10.1000/1', '-f', 'urn', '--form=name']);
    expect(stdout).toBe('urn:doi:10.1000:1\n10.1000/1\n');
  });

  test('writes all forms, each with the name of the form', async () => {
    const { stdout } = await runCli(['forms', '10.1000/1']);
    expect(stdout).toContain('url            https://doi.org/10.1000/1\n');
    expect(stdout.trim().split('\n')).toHaveLength(17);
  });

  test('reads a name literally with --literal', async () => {
    const forms = async (...more: string[]) =>
      (await runCli(['forms', '10.1/a%23b', '-f', 'url', ...more])).stdout;
    expect(await forms()).toBe('https://doi.org/10.1/a%23b\n');
    expect(await forms('--literal')).toBe('https://doi.org/10.1/a%2523b\n');
  });

  test('suggests a name for an invalid input, and writes the forms of the other names', async () => {
    const { code, stdout, stderr } = await runCli([
      'forms',
      'see 10.1000/182.',
      '10.1000/1',
      '--json',
      '-f',
      'uri',
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      input: '10.1000/1',
      name: '10.1000/1',
      forms: { uri: 'doi:10.1000/1' },
    });
    expect(stderr).toContain('Did you mean 10.1000/182?');
  });

  test('refuses an unknown form, and lists the known forms', async () => {
    const { code, stderr } = await runCli(['forms', '10.1000/1', '--form', 'uirl']);
    expect(code).toBe(2);
    expect(stderr).toContain('--form cannot be "uirl". Use one of name, display, uri, url,');
  });
});

describe('doi compare', () => {
  test.each([
    ['10.1000/ABC', 'https://doi.org/10.1000/abc', 0, 'equivalent (CASE): '],
    ['10.1000/a', '10.1000/a/', 1, 'not equivalent (TRAILING_SLASH): '],
    ['10.1000/a', '10.1000/b', 1, 'not equivalent (DISTINCT): '],
  ])('writes the relation of %s and %s', async (a, b, code, words) => {
    const ended = await runCli(['compare', a, b]);
    expect(ended).toMatchObject({ code, stderr: '' });
    expect(ended.stdout).toContain(words);
  });

  test('writes JSON', async () => {
    const { stdout } = await runCli(['compare', '--json', '10.1000/a', '10.1000/A']);
    expect(JSON.parse(stdout)).toMatchObject({
      a: '10.1000/a',
      b: '10.1000/A',
      equivalent: true,
      relation: 'CASE',
    });
  });

  test.each([[['10.1000/1']], [['10.1000/1', '10.1000/1', '10.1000/1']], [['10.1000/1', 'x']]])(
    'refuses to compare %j',
    async (names) => {
      expect(await runCli(['compare', ...names])).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
