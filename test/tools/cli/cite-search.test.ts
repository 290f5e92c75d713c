// `doi cite --complete` searches for the DOIs of entries without a DOI.

import { describe, expect, test } from 'vitest';
import type { AgencyApisOptions } from '../../support/agencies/agency-apis.ts';
import { PUMPS } from '../../support/reference-list.ts';
import { CONTACT } from '../../upstream/agencies/agency-gateway.ts';
import { createSearchingCli } from './searching-cli.ts';

async function stage(options: Partial<AgencyApisOptions> = {}, env?: Readonly<Record<string, string>>) {
  const { apis, run } = await createSearchingCli(options, env);
  const complete = (args: readonly string[], stdin: string) =>
    run(['cite', '--complete', '-', ...args], stdin);
  return { apis, complete };
}

describe('doi cite --complete', () => {
  const entry = (key: string, title: string, year: number) =>
    `@article{${key},\n  author = {Berger, Ada},\n  title = {${title}},\n  year = ${year}\n}\n`;
  const [title = ''] = PUMPS.title;
  const file = [
    entry('same', title, 2012),
    entry('other', title, 1987),
    entry('unknown', 'A history of ferries on lakes', 1977),
    '@misc{macro, author = {Berger, Ada}, title = {Pumps}, doi = name}\n@misc{title, title = {Pumps}}\n',
  ].join('\n');

  test('writes the DOI into an entry if nothing differs, and lists the differences of other entries', async () => {
    const { complete, apis } = await stage();
    const { code, stdout, stderr } = await complete([], file);
    expect(stdout).toContain('  doi = {10.5555/pumps}');
    expect(stdout.match(/10\.5555\/pumps/g)).toHaveLength(2);
    expect(stdout.slice(stdout.indexOf('@article{other'))).toBe(file.slice(file.indexOf('@article{other')));
    expect(stderr.split('\n')).toEqual([
      '-:1: same: its DOI is https://doi.org/10.5555/pumps (agrees: title, authors, year)',
      '-:7: other: not completed: its DOI is perhaps https://doi.org/10.5555/pumps (agrees: title, authors; differs: year: “1987” in the reference, “2012” in the work)',
      expect.stringMatching(/^5 entries: 1 completed with \d fields, 4 without a DOI; 0 differences$/),
      '',
    ]);
    expect(code).toBe(0);
    expect(apis.calls.filter(({ words = '' }) => words.includes('Pumps')).map(({ words }) => words)).toEqual(
      [],
    );
  });

  test('searches nothing with --no-match', async () => {
    const { complete, apis } = await stage();
    expect(await complete(['--no-match'], file)).toMatchObject({ code: 0, stdout: file });
    expect(apis.calls).toEqual([]);
  });

  test('reports a failed search, and exits with 3', async () => {
    const { complete } = await stage({ misbehaves: () => 'SAYS_503' });
    const { code, stdout, stderr } = await complete([], file);
    expect([code, stdout]).toEqual([3, file]);
    expect(stderr).toContain('-:1: same: its DOI cannot be found: ');
  });

  test('leaves the file unchanged if the gateway does not search', async () => {
    const { complete } = await stage({}, { ...CONTACT, MATCHING: 'no' });
    const { code, stdout, stderr } = await complete([], file);
    expect([code, stdout]).toEqual([0, file]);
    expect(stderr).toContain(
      'The DOIs of entries without a DOI are not searched. This gateway does not search',
    );
  });
});
