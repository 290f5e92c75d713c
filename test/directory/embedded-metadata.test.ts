// Metadata beside the records of the embedded directory.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmbeddedDirectory } from '../../src/directory/embedded.ts';
import type { HandleName } from '../../src/doi/name.ts';
import { CSL, type MetadataFormat } from '../../src/metadata/metadata-format.ts';

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
  test('is that of names of the bundled directory, with the label of their agency', async () => {
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

  test('has nothing of other names, and nothing in other styles', async () => {
    const directory = await open(`${DATA}sample-metadata.jsonl`);
    const none = { content: null, source: '' };
    expect(await directory.describe?.('10.5555/none' as HandleName, CSL)).toMatchObject(none);
    expect(await directory.describe?.(NAME, { ...APA, locale: 'de-DE' })).toMatchObject(none);
  });

  test('is the same object until it is made anew', async () => {
    let now = 1_000;
    const directory = await open(`${DATA}sample-metadata.jsonl`, () => now);
    const held = directory.memory?.metadata?.(NAME, CSL);
    expect(directory.memory?.metadata?.(NAME, CSL)).toBe(held);
    now += 60_000;
    expect(held?.isLive()).toBe(false);
    expect(directory.memory?.metadata?.(NAME, CSL)?.answer.fetchedAt).toBe(now);
  });
});

describe('a file of metadata', () => {
  test('is not looked at where metadata is off', async () => {
    expect((await open(null)).describe).toBeUndefined();
  });

  test.each([
    ['{"handle":"10.1/a"}', /:1: /],
    ['{"handle":"10.1/a","csl":[]}', /:1: /],
    ['{"csl":{}}', /:1: /],
    ['\n{"handle":"10.1/a","csl":1}', /:2: /],
    ['{"handle":"10.1/a","csl":{}}\n{"handle":"10.1/A","csl":{}}', /:2: the handle 10\.1\/A is there twice/],
    ['{"handle":"10.1/a","csl":{},"citations":{"apa en-US":5}}', /:1: /],
  ])('is refused where a line is %s', async (text, message) => {
    await expect(open(await fileOf(text))).rejects.toThrow(message);
  });
});
