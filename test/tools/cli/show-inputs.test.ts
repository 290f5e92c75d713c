// The inputs of `doi show` can be handles, other identifiers, and names from standard input.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { Interruption } from '../../../src/tools/cli/run-doi.ts';
import { urlValue } from '../../support/fake-directory.ts';
import { fakeGateway, runCli } from './run-cli.ts';

describe('doi show', () => {
  test('shows handles that are not DOI names, in one operation', async () => {
    const gateway = await fakeGateway({
      records: {
        '2381/A': [urlValue('https://example.org/a')],
        '20.500.12345/1': new GatewayError('UPSTREAM_TIMEOUT'),
      },
    });
    const args = ['hdl:2381/A', 'https://hdl.handle.net/2381/a', '2381/A', '20.500.12345/1'];
    const { code, stdout } = await runCli(['show', ...args], { gateway });
    expect(code).toBe(3);
    expect(stdout.split('\n\n')).toEqual([
      [
        '2381/A',
        '  outcome       found',
        '  kind          a handle that is not a DOI name',
        '  link          https://hdl.handle.net/2381/A',
        '  leads to      https://example.org/a',
        '  record        1 value: URL',
      ].join('\n'),
      expect.stringContaining('2381/a\n  outcome       absent: there is no such name\n'),
      expect.stringContaining('2381/A\n  outcome       found\n'),
      expect.stringContaining('20.500.12345/1\n  outcome       cannot tell\n'),
    ]);
    expect(gateway.calls.resolve.filter(({ name }) => name.startsWith('2381'))).toEqual([
      { name: '2381/A', auth: false, cert: false },
      { name: '2381/a', auth: false, cert: false },
    ]);
  });

  test('writes a handle as JSON, and a wrong DOI name as invalid', async () => {
    const gateway = await fakeGateway({ records: { '2381/A': [urlValue('https://example.org/a')] } });
    const wrong = ['doi:2381/A', 'https://doi.org/2381/A', '10.SERV/X', 'hdl:10.1000/', 'and/or'];
    const { code, stdout } = await runCli(['show', '--json', 'hdl:2381/A', ...wrong], { gateway });
    expect(code).toBe(1);
    const lines = stdout.trim().split('\n');
    const [handle, ...others] = lines.map((line) => JSON.parse(line));
    expect(handle).toMatchObject({
      name: '2381/A',
      outcome: 'found',
      looksLike: 'HANDLE',
      url: 'https://hdl.handle.net/2381/A',
      target: 'https://example.org/a',
      warnings: [],
    });
    expect(others).toMatchObject(wrong.map((input) => ({ input, name: null, outcome: 'invalid' })));
  });

  test('writes "cannot tell" for a handle that the sample lacks', async () => {
    const gateway = await fakeGateway({}, { isSample: true });
    const { code, stdout, stderr } = await runCli(['show', '2381/12345'], { gateway });
    expect(code).toBe(3);
    expect(stdout).toContain('cannot tell');
    expect(stderr).toContain('doi show --live');
  });

  test('reads names from its arguments, and from the lines of standard input in place of "-"', async () => {
    const gateway = await fakeGateway();
    const args = ['show', '--json', '10.1000/1', '-'];
    const { stdout } = await runCli(args, { gateway, stdin: 'doi:10.1000/182\r\n\n  \nnothing' });
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { input: string }).input)).toEqual([
      '10.1000/1',
      'doi:10.1000/182',
      'nothing',
    ]);
  });

  test.each([
    ['no line', '\n'],
    ['too many lines', '10.1000/1\n'.repeat(1_001)],
    ['a line that is too long', 'x'.repeat(1_000_001)],
    ['a file that is not text', '10.1000/1\0'],
  ])('refuses standard input with %s', async (_, stdin) => {
    expect(await runCli(['show', '-'], { stdin })).toMatchObject({ code: 2, stdout: '' });
  });

  test('ends when it is interrupted before standard input ends', async () => {
    const stop = new AbortController();
    async function* stdin() {
      yield Buffer.from('10.1000/182\n');
      stop.abort(new Interruption(2));
      yield Buffer.from('10.1000/183\n');
    }
    expect(await runCli(['show', '-'], { stdin: stdin(), signal: stop.signal })).toMatchObject({ code: 130 });
  });

  test('requires a name', async () => {
    expect(await runCli(['show'])).toMatchObject({ code: 2, stdout: '' });
  });

  test.each([
    ['978-3-16-148410-0', 'ISBN'],
    ['ISBN 0-306-40615-2', 'ISBN'],
    ['ISSN 2049-3630', 'ISSN'],
    ['PMID: 12345678', 'PMID'],
    ['PMC1234567', 'PMCID'],
    ['0000-0002-1825-0097', 'ORCID'],
    ['https://ror.org/05dxps055', 'ROR'],
    ['arXiv:2101.00001', 'arXiv'],
    ['https://example.org/', 'address of a page'],
  ])('names the kind of %s', async (input, word) => {
    const { code, stdout } = await runCli(['show', input]);
    expect(code).toBe(1);
    expect(stdout).toContain('It looks like');
    expect(stdout).toContain(word);
  });
});
