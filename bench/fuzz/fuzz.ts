// Plays case after case until the time is over, and shrinks each case with a fault.

import fc from 'fast-check';
import { readMemory } from '../node-process.ts';
import { type Conversation, converse } from './conversation.ts';
import { type FuzzDirectory, startFuzzDirectory } from './directory.ts';
import { seedOf } from './directory-answers.ts';
import { type Fault, faultsOf } from './faults.ts';
import type { FuzzedGateway, Installation } from './fuzzed-gateway.ts';
import { OWN_JOB } from './job-requests.ts';
import { cases, type FuzzCase } from './requests.ts';
import { type FuzzRequest, whole } from './whole-request.ts';

// One case against a gateway: all its requests at once, and their faults. A file that becomes a job goes first.

interface Talk {
  readonly request: FuzzRequest;
  readonly talk: Conversation;
}

/** Jobs of this case and of the one before, whose lines may come late. */
const lately: string[] = [];
const LATELY = 50;

/** Returns the faults of the responses, and faults that no response shows. */
async function play(found: FuzzCase, gateway: FuzzedGateway, directory: FuzzDirectory): Promise<Fault[]> {
  const ask = async (request: FuzzRequest): Promise<Talk> => ({
    request,
    talk: await converse(gateway.port, request),
  });
  const uploads = await Promise.all(found.filter(isUpload).map(ask));
  const [job] = jobsIn(uploads);
  const isOver = job === undefined || (await hasEnded(gateway, job));
  const others = found.filter((request) => !isUpload(request));
  const talks = [...uploads, ...(await Promise.all(others.map((request) => ask(asOwn(request, job)))))];
  const jobs = jobsIn(talks);
  talks.push(...(await Promise.all(jobs.map((id) => ask(deletion(id))))));
  // A worker that runs the job checks once a second whether the job was deleted.
  if (!isOver) await pause(STOPPED_WITHIN_MS);
  lately.push(...jobs);
  lately.splice(0, lately.length - LATELY);

  const faults = talks.flatMap(({ request, talk }) => faultsOf(request, talk));
  const said = gateway
    .complaints(lately)
    .map((what) => ({ rule: 'nothing on stderr, no error and no secret in the log', what }));
  const asked = directory
    .forbiddenRequests()
    .map((what) => ({ rule: 'nothing is asked that may not be asked', what }));
  const ended = gateway.isAlive() ? [] : [{ rule: 'the process lives', what: gateway.lastWords() }];
  return [...ended, ...asked, ...said, ...faults];
}

const isUpload = ({ kind, method, target }: FuzzRequest): boolean =>
  kind === 'whole' && method === 'POST' && /^\/jobs(?:\?|$)/.test(target);

function asOwn(request: FuzzRequest, job: string | undefined): FuzzRequest {
  if (job === undefined) return request;
  const { target, bytes } = request;
  return { ...request, target: target.replaceAll(OWN_JOB, job), bytes: bytes.replaceAll(OWN_JOB, job) };
}

function jobsIn(talks: readonly Talk[]): string[] {
  const ids = talks.flatMap(({ talk }) =>
    [...talk.received.toString('latin1').matchAll(/"job":\s*"\/jobs\/([\w-]{24})"/g)].map(
      ([, id = '']) => id,
    ),
  );
  return [...new Set(ids)];
}

function deletion(id: string): FuzzRequest {
  return whole('DELETE', `/jobs/${id}`, { 'x-doi-gateway': 'jobs' });
}

const ENDED_WITHIN_MS = 400;
const STOPPED_WITHIN_MS = 1_200;
const LOOK_MS = 40;

/** Most jobs are short. Requests for the others arrive while they run. */
async function hasEnded({ url }: FuzzedGateway, job: string): Promise<boolean> {
  const until = performance.now() + ENDED_WITHIN_MS;
  while (performance.now() < until) {
    const response = await fetch(`${url}/jobs/${job}`).catch(() => null);
    const found = ((await response?.json().catch(() => null)) ?? {}) as { state?: string };
    if (found.state !== 'waiting' && found.state !== 'running') return true;
    await pause(LOOK_MS);
  }
  return false;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Plays one case, with its own gateway and directory. */
export async function replay(
  installation: Installation,
  { seed, found }: Pick<Finding, 'seed' | 'found'>,
): Promise<Fault[]> {
  const directory = await startFuzzDirectory(seed);
  const gateway = await installation.start(directory);
  try {
    return await play(found, gateway, directory);
  } finally {
    await gateway.end();
    await directory.close();
  }
}

export interface Finding {
  readonly seed: number;
  readonly found: FuzzCase;
  readonly faults: readonly Fault[];
}

export interface FuzzResult {
  readonly findings: readonly Finding[];
  readonly summary: Readonly<Record<string, string>>;
}

/** Cases between two looks at the clock and at the memory. */
const ROUND = 50;
const SHRINK_MS = 15_000;
/** A heap of 512 MB, and as much again outside the heap. */
const MAX_RSS_BYTES = 1_000 * 2 ** 20;
const MAX_FINDINGS = 20;

export async function fuzz(installation: Installation, seed: number, seconds: number): Promise<FuzzResult> {
  const endsAt = performance.now() + seconds * 1_000;
  const directory = await startFuzzDirectory(seed);
  const findings = new Map<string, Finding>();
  const memoryMb: number[] = [];
  let [played, sent, ends] = [0, 0, 0];
  let gateway = await installation.start(directory);

  async function living(): Promise<FuzzedGateway> {
    if (!gateway.isAlive()) {
      ends += 1;
      gateway = await installation.start(directory);
    }
    return gateway;
  }

  async function faultsIn(found: FuzzCase): Promise<Fault[]> {
    const faults = await play(found, await living(), directory);
    played += 1;
    sent += found.length;
    return faults;
  }

  for (let round = 0; performance.now() < endsAt && findings.size < MAX_FINDINGS; round += 1) {
    const finding = await search(seedOf(seed, round), faultsIn, new Set(findings.keys()));
    if (finding) findings.set(ruleOf(finding.faults), { ...finding, seed });
    const { rssBytes } = readMemory((await living()).pid) ?? { rssBytes: 0 };
    memoryMb.push(rssBytes / 2 ** 20);
    if (rssBytes > MAX_RSS_BYTES) {
      const what = `${Math.round(rssBytes / 2 ** 20)} MB`;
      findings.set('memory', { seed, found: [], faults: [{ rule: 'memory is bounded', what }] });
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
      'ends of the process': String(ends),
      memory: `${mean(memoryMb.slice(quarter, 2 * quarter))} MB in the second quarter, ${mean(memoryMb.slice(-quarter))} MB in the last`,
    },
  };
}

/** @param known rules with a finding: a search ignores them */
async function search(
  seed: number,
  faultsIn: (found: FuzzCase) => Promise<Fault[]>,
  known: ReadonlySet<string>,
): Promise<Omit<Finding, 'seed'> | null> {
  let last: Fault[] = [];
  let shrinkUntil = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(cases, async (found) => {
    if (performance.now() > shrinkUntil) return true;
    const faults = (await faultsIn(found)).filter((fault) => !known.has(ruleOf([fault])));
    if (faults.length === 0) return true;
    last = faults;
    shrinkUntil = Math.min(shrinkUntil, performance.now() + SHRINK_MS);
    return false;
  });
  const { failed, counterexample } = await fc.check(property, { seed, numRuns: ROUND });
  if (!failed) return null;
  const found = counterexample?.[0] ?? [];
  for (const request of found) {
    const faults = await faultsIn([request]);
    if (faults.some((fault) => ruleOf([fault]) === ruleOf(last))) return { found: [request], faults };
  }
  return { found, faults: last };
}

/** Findings with the same text are one finding. */
function ruleOf([fault]: readonly Fault[]): string {
  return `${fault?.rule}: ${fault?.what.replaceAll(/\d+/g, '0').slice(0, 60)}`;
}

function mean(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length));
}
