// A chunk with references has the rows of `doi bulk --reference`. It waits while agencies refuse searches.

import { expect, test } from 'vitest';
import { createAnswerChunk, prepareTask, storedFields, storedRow } from '../../src/jobs/answer-chunk.ts';
import type { JobTask } from '../../src/jobs/store/job-store.ts';
import { FIELDS } from '../../src/tools/bulk/fields.ts';
import { readResultFields } from '../../src/tools/bulk/reference-fields.ts';
import { countsBy } from '../../src/tools/bulk/row-outcomes.ts';
import type { OutputFormat } from '../../src/tools/bulk/table-shape.ts';
import { type SendOperation, sendInProcess } from '../../src/tools/gateway-client/send-operation.ts';
import { createTurns } from '../../src/turns.ts';
import type { AgencyApisOptions } from '../support/agencies/agency-apis.ts';
import { PUMPS } from '../support/reference-list.ts';
import { allRows, tableOf } from '../tools/bulk/read-table.ts';
import { runCli } from '../tools/cli/run-cli.ts';
import { CONTACT, startAgencyGateway } from '../upstream/agencies/agency-gateway.ts';
import { newJobKey } from './job-folder.ts';

const COLUMNS = 'author,year,title,journal';
const row = (year: number) => `Berger A,${year},${PUMPS.title[0]},${PUMPS['container-title'][0]}`;
const UNKNOWN = 'Marsh P,1977,A history of ferries on the northern lakes,Harbour Press';
const TABLE = `${COLUMNS}\n${row(2012)}\n${row(1987)}\n${UNKNOWN}\n,,,\na\n`;
const LINES = [
  { author: ['Berger, A.'], year: 2012, title: PUMPS.title[0], journal: PUMPS['container-title'][0] },
  { author: 'Marsh', title: 'A history of ferries on the northern lakes' },
].map((line) => `${JSON.stringify(line)}\n`);

interface Job {
  readonly text: string;
  readonly fields?: string;
  readonly format?: OutputFormat;
}

async function chunkFrom(send: SendOperation, { text, fields, format = 'csv' }: Job, pause = async () => {}) {
  const { shape, rows } = await tableOf(text, { reference: COLUMNS });
  const task: JobTask = {
    ...{ shape, format, excel: false, prefix: '', form: null, split: false },
    fields: storedFields(readResultFields(fields, true)),
  };
  const { writer } = prepareTask(task);
  const stored = (await allRows(rows)).map((each) => storedRow(writer.checked(each)));
  const answer = createAnswerChunk(() => send, createTurns(), pause);
  const { signal } = new AbortController();
  const chunk = await answer({ task, rows: stored, chunk: 0, jobKey: newJobKey(), signal });
  return { ...chunk, text: chunk.body.toString() };
}

async function stage(options: Partial<AgencyApisOptions> = {}) {
  const searched = { crossref: [PUMPS] };
  const { gateway, time } = await startAgencyGateway([], CONTACT, { searched, ...options });
  const send = sendInProcess(gateway.app.fetch);
  return {
    time,
    chunkOf: (job: Job) => time.drive(chunkFrom(send, job, time.sleep as never)),
    bulk: async (args: readonly string[], stdin: string) => {
      const opened = { send, maxLookups: null, isSample: false, close: async () => {} };
      return time.drive(
        runCli(['bulk', '--reference', COLUMNS, ...args], { stdin, gateway: opened, wait: time.sleep }),
      );
    },
  };
}

test.each([
  ['a table', { text: TABLE }, ['--from', 'csv']],
  ['a table, with fields of the DOIs', { text: TABLE, fields: 'url,exists' }, ['--fields', 'url,exists']],
  ['JSON Lines', { text: LINES.join(''), format: 'jsonl' as const }, []],
  ['each reference on its own line', { text: LINES.join(''), format: 'csv' as const }, ['--to', 'csv']],
])('%s has the rows that `doi bulk --reference` writes', async (_, job, args) => {
  const { chunkOf, bulk } = await stage();
  const { text } = await chunkOf(job);
  expect(text).toContain('10.5555/pumps');
  expect(text).toBe((await bulk(args, job.text)).stdout);
});

test('each row has exactly one outcome', async () => {
  const { chunkOf } = await stage();
  const { summary, retryableRows, mustWait } = await chunkOf({ text: TABLE });
  const counts = { found: 1, differs: 1, notFound: 1, empty: 1, unreadable: 1 };
  expect(summary).toEqual({ ...countsBy(() => 0), ...counts, rows: 5, added: 0 });
  expect([retryableRows, mustWait]).toEqual([0, false]);
});

test('a failed search counts as failed, never as not found, and gets as many attempts as a failed look-up', async () => {
  const { chunkOf } = await stage({
    misbehaves: ({ words = '' }) => (words.includes('ferries') ? 'SAYS_503' : null),
  });
  const chunk = await chunkOf({ text: TABLE });
  expect(chunk.text).toMatch(/Harbour Press,failed,,,,,[A-Z_]+\n/);
  expect(chunk.summary).toMatchObject({ found: 1, differs: 1, notFound: 0, failed: 1 });
  expect([chunk.retryableRows, chunk.mustWait]).toEqual([1, false]);
});

/** A gateway whose searches fail with this code, except for the first search. */
const failingWith =
  (code: string): SendOperation =>
  async (_, { names = [] }) => {
    const found = { outcome: 'FOUND', doi: { name: PUMPS.DOI, url: '' }, evidence: [], candidates: [] };
    const dois = (names as string[]).map((_name, at) => (at === 0 ? found : null));
    const extensions = { code, retryable: true, heldBack: true };
    const errors = dois.slice(1).map((_doi, at) => ({ message: code, path: ['dois', at + 1], extensions }));
    return { data: { dois } as never, errors };
  };

test('a chunk waits while the limits of the agencies refuse searches, but not for an agency that is down', async () => {
  const busy = await chunkFrom(failingWith('GATEWAY_BUSY'), { text: TABLE });
  expect(busy.summary).toMatchObject({ found: 1, failed: 2 });
  expect([busy.retryableRows, busy.mustWait]).toEqual([2, true]);
  const down = await chunkFrom(failingWith('UPSTREAM_UNAVAILABLE'), { text: TABLE });
  expect([down.retryableRows, down.mustWait]).toEqual([2, false]);
});

test('a result that is longer than its reserved bytes fails only its row', async () => {
  const evidence = [{ detail: 'TITLE', verdict: 'DIFFERS', inReference: 'x', inWork: 'y' }];
  const found = (details: number) => ({
    outcome: 'DIFFERS',
    doi: { name: PUMPS.DOI, url: '' },
    evidence: Array.from({ length: details }, () => evidence[0]),
    candidates: [],
  });
  const send: SendOperation = async () => ({
    data: { dois: [found(1), found(1_000)] } as never,
    errors: [],
  });
  const chunk = await chunkFrom(send, { text: `${COLUMNS}\n${row(2012)}\n${row(1987)}\n` });
  expect([chunk.summary.differs, chunk.summary.failed, chunk.isTooLarge]).toEqual([1, 1, false]);
  expect(chunk.text).toContain(`${row(1987)},failed,,,,,LIMIT_EXCEEDED\n`);
});

test('a worker of an earlier version cannot read the references as names', () => {
  const names = new Set(FIELDS.map(({ name }) => name));
  const stored = storedFields(readResultFields('url', true)).split(',');
  expect(stored.filter((name) => !names.has(name))).not.toEqual([]);
});
