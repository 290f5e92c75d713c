// The metadata of the embedded directory.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandleName } from 'doi-names';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmbeddedDirectory } from '../../src/directory/embedded.ts';
import { CSL, type MetadataFormat } from '../../src/works/metadata-format.ts';

const DATA = new URL('../../data/', import.meta.url).pathname;
const NAME = '10.1371/JOURNAL.pone.0000030' as HandleName;
const APA: MetadataFormat = { kind: 'citation', style: 'apa', locale: 'en-US' };

function open(metadataFile: string | null, clock = () => 1_000) {
  return createEmbeddedDirectory({
    recordsFile: `${DATA}sample-directory.jsonl`,
    agenciesFile: `${DATA}prefix-agencies.json`,
    metadataFile,
    clock,
  });
}

async function fileOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'metadata-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'metadata.jsonl');
  await writeFile(file, text);
  return file;
}

describe('the bundled metadata', () => {
  test('belongs to names of the bundled directory, with the label of their agency', async () => {
    const directory = await open(`${DATA}sample-metadata.jsonl`);
    expect(await directory.describe?.(NAME, CSL)).toMatchObject({
      content: { 'container-title': 'PLoS ONE' },
      source: 'Crossref',
      fetchedAt: 1_000,
      freshUntil: 86_401_000,
      stale: false,
    });
    expect((await directory.describe?.(NAME, APA))?.content).toMatch(/^Ralser, M\., .*\(2006\)/);
  });

  test('is missing for other names and other styles', async () => {
    const directory = await open(`${DATA}sample-metadata.jsonl`);
    const none = { content: null, source: '' };
    expect(await directory.describe?.('10.5555/none' as HandleName, CSL)).toMatchObject(none);
    expect(await directory.describe?.(NAME, { ...APA, locale: 'de-DE' })).toMatchObject(none);
  });

  test('stays the same object in memory until it expires', async () => {
    let now = 1_000;
    const directory = await open(`${DATA}sample-metadata.jsonl`, () => now);
    const held = directory.memory?.metadata?.(NAME, CSL);
    expect(directory.memory?.metadata?.(NAME, CSL)).toBe(held);
    now += 60_000;
    expect(held?.isCurrent()).toBe(false);
    expect(directory.memory?.metadata?.(NAME, CSL)?.answer.fetchedAt).toBe(now);
  });
});

describe('a row with updates and relations', () => {
  const NOTHING = {
    updates: { outcome: 'NOT_REPORTED', notices: [], noticeOf: [] },
    relations: [],
    source: 'the embedded directory',
  };
  const historyOf = async (members: string) => {
    const file = await fileOf(`{"handle":"10.1000/1","csl":{"title":"T"}${members}}`);
    const work = await (await open(file)).describe?.('10.1000/1' as HandleName, CSL);
    return work?.history;
  };

  test('has the format of Crossref', async () => {
    const notice =
      '{"DOI":"10.1000/n","type":"retraction","source":"publisher","updated":{"date-parts":[[2021,3]]}}';
    const preprint = '{"id-type":"doi","id":"10.1000/p","asserted-by":"subject"}';
    expect(
      await historyOf(`,"updated-by":[${notice}],"relation":{"has-preprint":[${preprint}]}`),
    ).toMatchObject({
      updates: { outcome: 'RETRACTED', notices: [{ doi: '10.1000/n', date: { text: '2021-03' } }] },
      relations: [{ kind: 'HAS_PREPRINT', identifier: '10.1000/p' }],
    });
  });

  test('has the outcome NONE_RECORDED only with an empty list of updates', async () => {
    expect(await historyOf(',"updated-by":[]')).toMatchObject({ updates: { outcome: 'NONE_RECORDED' } });
    expect(await historyOf(',"relation":{}')).toEqual(NOTHING);
    expect(await historyOf('')).toEqual(NOTHING);
  });

  test('is in the sample for a retracted article, a corrected article and a preprint', async () => {
    const directory = await open(`${DATA}sample-metadata.jsonl`);
    const summaryOf = async (suffix: string) => {
      const { source, history } =
        (await directory.describe?.(`10.5555/invented.${suffix}` as HandleName, CSL)) ?? {};
      return [source, history?.updates.outcome, ...(history?.relations ?? []).map(({ kind }) => kind)];
    };
    expect(await Promise.all(['preprint', 'article', 'retracted', 'notice'].map(summaryOf))).toEqual([
      ['Crossref', 'NONE_RECORDED', 'IS_PREPRINT_OF'],
      ['Crossref', 'CORRECTED', 'HAS_PREPRINT'],
      ['Crossref', 'RETRACTED'],
      ['Crossref', 'NONE_RECORDED'],
    ]);
  });
});

describe('a file of metadata', () => {
  test('is not read if metadata is off', async () => {
    expect((await open(null)).describe).toBeUndefined();
  });

  test.each([
    ['{"handle":"10.1/a"}', /:1: /],
    ['{"handle":"10.1/a","csl":[]}', /:1: /],
    ['{"csl":{}}', /:1: /],
    ['\n{"handle":"10.1/a","csl":1}', /:2: /],
    [
      '{"handle":"10.1/a","csl":{}}\n{"handle":"10.1/A","csl":{}}',
      /:2: the file has the handle 10\.1\/A twice/,
    ],
    ['{"handle":"10.1/a","csl":{},"citations":{"apa en-US":5}}', /:1: /],
    ['{"handle":"10.1/a","csl":{},"updated-by":{}}', /:1: updates are not a list/],
    ['{"handle":"10.1/a","csl":{},"relation":[]}', /:1: /],
  ])('is rejected with its line: %s', async (text, message) => {
    await expect(open(await fileOf(text))).rejects.toThrow(message);
  });
});
