// Runs cases until the time is over. When a case shows a fault, searches for a smaller case that shows it.

import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { readMemory } from '../../bench/node-process.ts';
import { poll } from '../../bench/poll.ts';
import { type Conversation, converse } from './conversation.ts';
import { type FuzzDirectory, startFuzzDirectory } from './directory.ts';
import { seedOf } from './directory-responses.ts';
import { type Fault, faultsOf } from './faults.ts';
import type { FuzzedGateway, Installation } from './fuzzed-gateway.ts';
import { CASE_JOB_ID } from './job-requests.ts';
import { cases, type FuzzCase } from './requests.ts';
import { type FuzzRequest, wholeRequest } from './whole-request.ts';

interface Exchange {
  readonly request: FuzzRequest;
  readonly conversation: Conversation;
}

/** Ids of the most recent jobs. The gateway may write log lines about a job after its case has ended. */
const recentJobs: string[] = [];
const RECENT_JOBS = 50;

/**
 * Plays one case: the client first sends files that become jobs, then all other requests at the same time. Returns the
 * faults of the responses, of the log, of the requests to the directory, and of the process.
 */
async function play(fuzzCase: FuzzCase, gateway: FuzzedGateway, directory: FuzzDirectory): Promise<Fault[]> {
  const send = (requests: readonly FuzzRequest[]): Promise<Exchange[]> =>
    Promise.all(
      requests.map(async (request) => ({ request, conversation: await converse(gateway.port, request) })),
    );
  const exchanges = await send(fuzzCase.filter(isUpload));
  const [job] = jobsIn(exchanges);
  const jobHasEnded = job === undefined || (await hasEnded(gateway, job));
  const others = fuzzCase.filter((request) => !isUpload(request));
  exchanges.push(...(await send(others.map((request) => withJobId(request, job)))));
  const jobs = jobsIn(exchanges);
  exchanges.push(...(await send(jobs.map(deletion))));
  // The worker that runs the job checks once a second whether the client has deleted it.
  if (!jobHasEnded) await setTimeout(STOPPED_WITHIN_MS);
  recentJobs.push(...jobs);
  recentJobs.splice(0, recentJobs.length - RECENT_JOBS);

  const found: Readonly<Record<string, readonly string[]>> = {
    'the process lives': gateway.isAlive() ? [] : [gateway.lastWords()],
    'the gateway sends only permitted requests to the directory': directory.forbiddenRequests(),
    'nothing on stderr, no error and no secret in the log': gateway.newOutputFaults(recentJobs),
  };
  return [
    ...Object.entries(found).flatMap(([rule, all]) => all.map((what) => ({ rule, what }))),
    ...exchanges.flatMap(({ request, conversation }) => faultsOf(request, conversation)),
  ];
}

const isUpload = ({ kind, method, target }: FuzzRequest): boolean =>
  kind === 'whole' && method === 'POST' && /^\/jobs(?:\?|$)/.test(target);

/** Puts the id of the case's job in place of its placeholder. */
function withJobId(request: FuzzRequest, job = CASE_JOB_ID): FuzzRequest {
  const replaced = (text: string): string => text.replaceAll(CASE_JOB_ID, job);
  return { ...request, target: replaced(request.target), bytes: replaced(request.bytes) };
}

/** Returns the ids of the jobs that the responses name. */
function jobsIn(exchanges: readonly Exchange[]): string[] {
  const text = exchanges.map(({ conversation }) => conversation.received.toString('latin1')).join('\n');
  return [...new Set(Array.from(text.matchAll(/"job":\s*"\/jobs\/([\w-]{24})"/g), ([, id = '']) => id))];
}

const deletion = (id: string): FuzzRequest =>
  wholeRequest('DELETE', `/jobs/${id}`, { 'x-doi-gateway': 'jobs' });

const STOPPED_WITHIN_MS = 1_200;

/** Waits a short time for the job to end; returns whether it ended. If it did not, later requests find it running. */
async function hasEnded({ url }: FuzzedGateway, job: string): Promise<boolean> {
  const read = async (): Promise<boolean> => {
    const response = await fetch(`${url}/jobs/${job}`).catch(() => null);
    const { state } = ((await response?.json().catch(() => null)) ?? {}) as { state?: string };
    return state !== 'waiting' && state !== 'running';
  };
  return poll(read, (isEnded) => isEnded, { withinMs: 400, everyMs: 40 });
}

/** Runs one case again, with a new gateway and directory. */
export async function replay(
  installation: Installation,
  { seed, fuzzCase }: Pick<Finding, 'seed' | 'fuzzCase'>,
): Promise<Fault[]> {
  const directory = await startFuzzDirectory(seed);
  const gateway = await installation.start(directory);
  try {
    return await play(fuzzCase, gateway, directory);
  } finally {
    await gateway.end();
    await directory.close();
  }
}

export interface Finding {
  readonly seed: number;
  readonly fuzzCase: FuzzCase;
  readonly faults: readonly Fault[];
}

/** The number of cases between two checks of the clock and of the gateway's memory. */
const CASES_PER_ROUND = 50;
const SHRINK_MS = 15_000;
/** A heap of 512 MB, and about as much outside the heap. */
const MAX_RSS_BYTES = 1_000 * 2 ** 20;
const MAX_FINDINGS = 20;

/** Returns the findings, and what the summary prints: figures by label. */
export async function fuzz(installation: Installation, seed: number, seconds: number) {
  const endsAt = performance.now() + seconds * 1_000;
  const directory = await startFuzzDirectory(seed);
  const findings = new Map<string, Finding>();
  const memoryMb: number[] = [];
  let [played, sent, deaths] = [0, 0, 0];
  let gateway = await installation.start(directory);

  /** Starts a new gateway if the last one has died. */
  async function livingGateway(): Promise<FuzzedGateway> {
    if (!gateway.isAlive()) {
      deaths += 1;
      gateway = await installation.start(directory);
    }
    return gateway;
  }

  async function faultsIn(fuzzCase: FuzzCase): Promise<Fault[]> {
    const faults = await play(fuzzCase, await livingGateway(), directory);
    played += 1;
    sent += fuzzCase.length;
    return faults;
  }

  for (let round = 0; performance.now() < endsAt && findings.size < MAX_FINDINGS; round += 1) {
    const finding = await search(seedOf(seed, round), faultsIn, new Set(findings.keys()));
    if (finding) findings.set(keyOf(finding.faults), { ...finding, seed });
    const { rssBytes } = readMemory((await livingGateway()).pid) ?? { rssBytes: 0 };
    memoryMb.push(rssBytes / 2 ** 20);
    if (rssBytes > MAX_RSS_BYTES) {
      const what = `${Math.round(rssBytes / 2 ** 20)} MB`;
      findings.set('memory', { seed, fuzzCase: [], faults: [{ rule: 'memory is bounded', what }] });
      break;
    }
  }
  await gateway.end();
  await directory.close();
  const quarter = Math.ceil(memoryMb.length / 4);
  return {
    findings: [...findings.values()],
    summary: {
      cases: String(played),
      requests: String(sent),
      'requests to the directory': [...directory.sent].map(([kind, count]) => `${count} ${kind}`).join(', '),
      'times the gateway process died': String(deaths),
      memory: `${mean(memoryMb.slice(quarter, 2 * quarter))} MB in the second quarter, ${mean(memoryMb.slice(-quarter))} MB in the last`,
    },
  };
}

/** Runs cases until one shows a new fault, and shrinks it. @param known keys of earlier findings, which it ignores */
async function search(
  seed: number,
  faultsIn: (fuzzCase: FuzzCase) => Promise<Fault[]>,
  known: ReadonlySet<string>,
): Promise<Omit<Finding, 'seed'> | null> {
  let last: Fault[] = [];
  let shrinkUntil = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(cases, async (fuzzCase) => {
    if (performance.now() > shrinkUntil) return true;
    const faults = (await faultsIn(fuzzCase)).filter((fault) => !known.has(keyOf([fault])));
    if (faults.length === 0) return true;
    last = faults;
    shrinkUntil = Math.min(shrinkUntil, performance.now() + SHRINK_MS);
    return false;
  });
  const { failed, counterexample } = await fc.check(property, { seed, numRuns: CASES_PER_ROUND });
  if (!failed) return null;
  const fuzzCase = counterexample?.[0] ?? [];
  for (const request of fuzzCase) {
    const faults = await faultsIn([request]);
    if (faults.some((fault) => keyOf([fault]) === keyOf(last))) return { fuzzCase: [request], faults };
  }
  return { fuzzCase, faults: last };
}

/** Findings with the same key are one finding. */
function keyOf([fault]: readonly Fault[]): string {
  return `${fault?.rule}: ${fault?.what.replaceAll(/\d+/g, '0').slice(0, 60)}`;
}

function mean(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length));
}
