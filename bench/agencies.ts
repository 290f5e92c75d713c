// Titles of many names from the APIs of Crossref and DataCite: servers on loopback play them, with the documented limits
// and a latency of 100 ms. `npm run agencies`; only some of the runs with `-- --only=<part of their names>`.

import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { type AgencyApisOptions, startAgencyApis } from '../test/support/agencies/agency-apis.ts';
import { type AgencyWork, agencyWorks, FAULTY_NAMES } from '../test/support/agencies/agency-works.ts';
import { FAILURES, faultsByChance, REPAIRABLE } from '../test/support/agencies/misbehaviours.ts';
import { builtGateway, endServers, startServer } from './node-process.ts';
import { type Cell, printTable, quantile } from './table.ts';

const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: '' }, names: { type: 'string', default: '100000' } },
});

const LATENCY_MS = 100;
const MAX_NAMES = 1_000;
const CONTACT = { CONTACT: 'operator@example.org' };
/** Without Crossref's limits, which would make 100,000 names take eleven minutes. */
const PLUS = { ...CONTACT, CROSSREF_PLUS_TOKEN: 'bench' };
const QUERY = 'query ($names: [String!]!) { dois(inputs: $names, form: NAME) { metadata { title } } }';

interface Answer {
  readonly data: { readonly dois: readonly { readonly metadata: { readonly title: string } | null }[] };
  readonly errors?: readonly {
    readonly path: readonly (string | number)[];
    readonly extensions: { readonly code: string; readonly retryAfterSeconds?: number };
  }[];
}

/** The titles in the responses of operations. */
class Titles {
  right = 0;
  /** names with another title than their own, or without a title and without an error */
  wrong = 0;
  readonly failures: Record<string, number> = {};
  retryAfterSeconds = 0;

  count(works: readonly AgencyWork[], { data, errors = [] }: Answer): void {
    const failed = new Set<unknown>();
    for (const { path, extensions } of errors) {
      failed.add(path[1]);
      this.failures[extensions.code] = (this.failures[extensions.code] ?? 0) + 1;
      this.retryAfterSeconds = Math.max(this.retryAfterSeconds, extensions.retryAfterSeconds ?? 0);
    }
    for (const [at, { title }] of works.entries()) {
      if (failed.has(at)) continue;
      if ((data.dois[at]?.metadata?.title ?? null) === title) this.right += 1;
      else this.wrong += 1;
    }
  }

  cells(): Cell[] {
    const codes = Object.entries(this.failures).map(([code, count]) => `${code} ${count}`);
    return [this.right, this.wrong, codes.join(', ') || null];
  }
}

const file = builtGateway();

async function onStage(
  options: AgencyApisOptions,
  env: Readonly<Record<string, string>>,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const apis = await startAgencyApis({ latencyMs: LATENCY_MS, ...options });
  const gateway = await startServer({ file, env: { ...apis.env, ...env } });
  const dispatchers = ['127.0.0.1', '127.0.0.2'].map((localAddress) => new Agent({ localAddress }));
  async function ask(works: readonly AgencyWork[], titles: Titles, client = 0): Promise<void> {
    const { body } = await request(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: QUERY, variables: { names: works.map(({ name }) => name) } }),
      dispatcher: dispatchers[client] as Agent,
      headersTimeout: 0,
    });
    titles.count(works, (await body.json()) as Answer);
  }
  // So that the code is compiled. These works do not come again.
  await ask(agencyWorks({ count: MAX_NAMES, agency: 'DataCite', firstNumber: 900_000 }), new Titles());
  const before = apis.calls.length;
  const counts = (): Cell[] => {
    const calls = apis.calls.slice(before);
    const lists = calls.filter(({ kind }) => kind === 'list').length;
    return [lists, calls.length - lists, apis.breaches.length];
  };
  try {
    await run({ ask, counts });
    for (const breach of apis.breaches.slice(0, 3)) console.log(breach);
  } finally {
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
    await endServers();
    await apis.close();
  }
}

interface Stage {
  ask(works: readonly AgencyWork[], titles: Titles, client?: number): Promise<void>;
  /** lists, requests for one name, broken limits */
  counts(): Cell[];
}

const rows: Cell[][] = [];
const COLUMNS = ['run', 's', 'limits alone', 'lists', 'single', 'breaches', 'right', 'wrong', 'failed'];

function addRow(name: string, began: number, limitSeconds: number | null, stage: Stage, titles: Titles) {
  const seconds = (performance.now() - began) / 1_000;
  const row = [name, seconds, limitSeconds, ...stage.counts(), ...titles.cells()];
  rows.push(row);
  console.log(row.join(' | '));
}

/** One operation for 1,000 names, and a second one where some of them failed. */
async function cold(
  name: string,
  agency: 'Crossref' | 'DataCite',
  env: Readonly<Record<string, string>>,
  limitSeconds: number | null,
): Promise<void> {
  const shares = limitSeconds === null ? FAULTY_NAMES[agency] : {};
  const works = agencyWorks({ count: MAX_NAMES, agency, shares });
  await onStage({ works }, env, async (stage) => {
    for (const round of ['', ', again']) {
      const titles = new Titles();
      const began = performance.now();
      await stage.ask(works, titles);
      addRow(name + round, began, limitSeconds, stage, titles);
      if (titles.retryAfterSeconds === 0) break;
      await new Promise((done) => setTimeout(done, titles.retryAfterSeconds * 1_000));
    }
  });
}

/** Many operations, two at the same time, before servers that do everything wrong. */
async function misbehaving(name: string): Promise<void> {
  const half = Number(flags.names) / 2;
  const [crossref = [], datacite = []] = (['Crossref', 'DataCite'] as const).map((agency, at) =>
    agencyWorks({ count: half, agency, shares: FAULTY_NAMES[agency], firstNumber: at * half }),
  );
  const misbehaves = faultsByChance(22, 0.1, [...REPAIRABLE, ...FAILURES]);
  await onStage({ works: [...crossref, ...datacite], misbehaves, latencyMs: 5 }, PLUS, async (stage) => {
    const titles = new Titles();
    const began = performance.now();
    for (let at = 0; at < half; at += MAX_NAMES) {
      await Promise.all(
        [crossref, datacite].map((works) => stage.ask(works.slice(at, at + MAX_NAMES), titles)),
      );
    }
    addRow(name, began, null, stage, titles);
  });
}

/** One title each half second, beside another client's thousand. */
async function beside(name: string): Promise<void> {
  const many = agencyWorks({ count: MAX_NAMES, agency: 'Crossref' });
  const few = agencyWorks({ count: 36, agency: 'Crossref', firstNumber: MAX_NAMES });
  await onStage({ works: [...many, ...few] }, {}, async (stage) => {
    const titles = new Titles();
    const began = performance.now();
    const others = stage.ask(many, new Titles());
    const waits = few.map(async (work, at) => {
      await new Promise((done) => setTimeout(done, 500 * at));
      const asked = performance.now();
      await stage.ask([work], titles, 1);
      return performance.now() - asked;
    });
    const sorted = (await Promise.all(waits)).sort((a, b) => a - b);
    await others;
    addRow(name, began, null, stage, titles);
    const [p50, p99] = [0.5, 0.99].map((share) => Math.round(quantile(sorted, share)));
    console.log(`${name}: p50 ${p50} ms, p99 ${p99} ms`);
  });
}

/** The time that the limits alone require: for lists after the first, or the first three. Null: with faulty names. */
const RUNS: Readonly<Record<string, (name: string) => Promise<void>>> = {
  'Crossref, anonymous': (name) => cold(name, 'Crossref', {}, 19),
  'Crossref, CONTACT': (name) => cold(name, 'Crossref', CONTACT, 6),
  'DataCite, anonymous': (name) => cold(name, 'DataCite', {}, 0),
  'Crossref, CONTACT, faulty names': (name) => cold(name, 'Crossref', CONTACT, null),
  'Crossref, anonymous, faulty names': (name) => cold(name, 'Crossref', {}, null),
  'DataCite, anonymous, faulty names': (name) => cold(name, 'DataCite', {}, null),
  'both misbehave': misbehaving,
  'one title beside 1,000': beside,
};

for (const [name, run] of Object.entries(RUNS)) if (name.includes(flags.only)) await run(name);
printTable('Titles from the APIs of Crossref and DataCite', COLUMNS, rows);
