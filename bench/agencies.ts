// npm run agencies: measures how the gateway loads the titles of many names from the APIs of Crossref and DataCite.
// Servers on loopback play both APIs, with the documented limits and a latency of 100 ms.
//   -- --only TEXT  runs only the measurements whose name contains the text
//   -- --names N    the number of names while both APIs misbehave (100,000)

import { setTimeout } from 'node:timers/promises';
import { type AgencyApisOptions, startAgencyApis } from '../test/support/agencies/agency-apis.ts';
import { type AgencyWork, agencyWorks, FAULTY_NAMES } from '../test/support/agencies/agency-works.ts';
import { FAILURES, faultsByChance, REPAIRABLE } from '../test/support/agencies/misbehaviours.ts';
import { readFlags, runBench } from './command.ts';
import { exchange, graphqlBytes } from './http-bytes.ts';
import { buildGateway, endServers, startServer } from './node-process.ts';
import { type Cell, printTable, quantile } from './table.ts';

const flags = readFlags({ only: '', names: 100_000 });
const LATENCY_MS = 100;
const MAX_NAMES = 1_000;
const CONTACT = { CONTACT: 'operator@example.org' };
/** A Crossref Plus token, which removes Crossref's limits. With them, 100,000 names would take eleven minutes. */
const PLUS = { ...CONTACT, CROSSREF_PLUS_TOKEN: 'bench' };
const QUERY = 'query ($names: [String!]!) { dois(inputs: $names, form: NAME) { metadata { title } } }';

interface TitleResponse {
  readonly data: { readonly dois: readonly { readonly metadata: { readonly title: string } | null }[] };
  readonly errors?: readonly {
    readonly path: readonly (string | number)[];
    readonly extensions: { readonly code: string; readonly retryAfterSeconds?: number };
  }[];
}

/** Counts the titles in the responses of operations. */
class Titles {
  right = 0;
  /** names with the title of another work, or without a title and without an error */
  wrong = 0;
  readonly failures: Record<string, number> = {};
  retryAfterSeconds = 0;

  count(works: readonly AgencyWork[], { data, errors = [] }: TitleResponse): void {
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

type Environment = Readonly<Record<string, string>>;

interface Bench {
  /** Loads titles. @param address of the client */
  send(works: readonly AgencyWork[], titles: Titles, address?: string): Promise<void>;
  /** Adds a row to the table. @param limitSeconds the time that the API's limits alone require */
  addRow(name: string, began: number, titles: Titles, limitSeconds?: number | null): void;
}

const file = buildGateway();
const rows: Cell[][] = [];
const COLUMNS = ['run', 's', 'limits alone s', 'lists', 'single', 'breaches', 'right', 'wrong', 'failed'];

/** Starts fake APIs and a gateway, calls `run`, and ends them. */
async function withGateway(
  options: AgencyApisOptions,
  env: Environment,
  run: (bench: Bench) => Promise<void>,
): Promise<void> {
  const apis = await startAgencyApis({ latencyMs: LATENCY_MS, ...options });
  const gateway = await startServer({ file, env: { ...apis.env, ...env } });
  const send: Bench['send'] = async (works, titles, address) => {
    const request = graphqlBytes({ query: QUERY, variables: { names: works.map(({ name }) => name) } });
    const { text } = await exchange(gateway.port, request, address);
    titles.count(works, JSON.parse(text) as TitleResponse);
  };
  // This request lets V8 compile the code. No later request has these works.
  await send(agencyWorks({ count: MAX_NAMES, agency: 'DataCite', firstNumber: 900_000 }), new Titles());
  const before = apis.calls.length;
  const addRow: Bench['addRow'] = (name, began, titles, limitSeconds = null) => {
    const seconds = (performance.now() - began) / 1_000;
    const calls = apis.calls.slice(before);
    const lists = calls.filter(({ kind }) => kind === 'list').length;
    const counts = [lists, calls.length - lists, apis.breaches.length];
    rows.push([name, seconds, limitSeconds, ...counts, ...titles.cells()]);
    console.log(rows.at(-1)?.join(' | '));
  };
  try {
    await run({ send, addRow });
    for (const breach of apis.breaches.slice(0, 3)) console.log(breach);
  } finally {
    await endServers();
    await apis.close();
  }
}

/** Sends one operation for 1,000 names. If names failed and may succeed later, sends the operation a second time. */
const thousandTitles =
  (agency: 'Crossref' | 'DataCite', env: Environment, limitSeconds: number | null) =>
  async (name: string): Promise<void> => {
    const shares = limitSeconds === null ? FAULTY_NAMES[agency] : {};
    const works = agencyWorks({ count: MAX_NAMES, agency, shares });
    await withGateway({ works }, env, async ({ send, addRow }) => {
      for (const round of ['', ', again']) {
        const titles = new Titles();
        const began = performance.now();
        await send(works, titles);
        addRow(name + round, began, titles, limitSeconds);
        if (titles.retryAfterSeconds === 0) break;
        await setTimeout(titles.retryAfterSeconds * 1_000);
      }
    });
  };

/** Sends many operations, two at the same time, to a gateway whose APIs misbehave at random. */
async function misbehaving(name: string): Promise<void> {
  const half = flags.names / 2;
  const [crossref = [], datacite = []] = (['Crossref', 'DataCite'] as const).map((agency, at) =>
    agencyWorks({ count: half, agency, shares: FAULTY_NAMES[agency], firstNumber: at * half }),
  );
  const misbehaves = faultsByChance(22, 0.1, [...REPAIRABLE, ...FAILURES]);
  const options = { works: [...crossref, ...datacite], misbehaves, latencyMs: 5 };
  await withGateway(options, PLUS, async ({ send, addRow }) => {
    const titles = new Titles();
    const began = performance.now();
    for (let at = 0; at < half; at += MAX_NAMES) {
      await Promise.all([crossref, datacite].map((works) => send(works.slice(at, at + MAX_NAMES), titles)));
    }
    addRow(name, began, titles);
  });
}

/** Requests one title each half second, while another client requests a thousand. */
async function oneDuringThousand(name: string): Promise<void> {
  const many = agencyWorks({ count: MAX_NAMES, agency: 'Crossref' });
  const few = agencyWorks({ count: 36, agency: 'Crossref', firstNumber: MAX_NAMES });
  await withGateway({ works: [...many, ...few] }, {}, async ({ send, addRow }) => {
    const titles = new Titles();
    const began = performance.now();
    const others = send(many, new Titles());
    const waits = few.map(async (work, at) => {
      await setTimeout(500 * at);
      const sentAt = performance.now();
      await send([work], titles, '127.0.0.2');
      return performance.now() - sentAt;
    });
    const sorted = (await Promise.all(waits)).sort((a, b) => a - b);
    await others;
    addRow(name, began, titles);
    const [p50, p99] = [0.5, 0.99].map((share) => Math.round(quantile(sorted, share)));
    console.log(`${name}: p50 ${p50} ms, p99 ${p99} ms`);
  });
}

/**
 * The last argument of `thousandTitles` is the time in seconds that the API's limits alone require: a first list, or the
 * first three, needs no wait. Null: some names are faulty.
 */
const RUNS: Readonly<Record<string, (name: string) => Promise<void>>> = {
  'Crossref, anonymous': thousandTitles('Crossref', {}, 19),
  'Crossref, CONTACT': thousandTitles('Crossref', CONTACT, 6),
  'DataCite, anonymous': thousandTitles('DataCite', {}, 0),
  'Crossref, CONTACT, faulty names': thousandTitles('Crossref', CONTACT, null),
  'Crossref, anonymous, faulty names': thousandTitles('Crossref', {}, null),
  'DataCite, anonymous, faulty names': thousandTitles('DataCite', {}, null),
  'both misbehave': misbehaving,
  'one title during 1,000': oneDuringThousand,
};

await runBench(async () => {
  for (const [name, run] of Object.entries(RUNS)) if (name.includes(flags.only)) await run(name);
  printTable('Titles from the APIs of Crossref and DataCite', COLUMNS, rows);
  return true;
});
