// One case against a gateway: all its requests at once, and what is wrong then. A file that becomes a job goes first.

import { type Conversation, converse } from './conversation.ts';
import { type FuzzDirectory, startFuzzDirectory } from './directory.ts';
import { type Fault, faultsOf } from './faults.ts';
import type { FuzzedGateway, Installation } from './fuzzed-gateway.ts';
import { OWN_JOB } from './job-requests.ts';
import type { FuzzCase } from './requests.ts';
import { type FuzzRequest, whole } from './whole-request.ts';

interface Talk {
  readonly request: FuzzRequest;
  readonly talk: Conversation;
}

/** Jobs of this case and of the one before, whose lines may come late. */
const lately: string[] = [];
const LATELY = 50;

/** What answers of a case never show by themselves is looked for after it. */
export async function play(
  found: FuzzCase,
  gateway: FuzzedGateway,
  directory: FuzzDirectory,
): Promise<Fault[]> {
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
  // A worker that has the job in hand looks once a second whether it was stopped.
  if (!isOver) await pause(STOPPED_WITHIN_MS);
  lately.push(...jobs);
  lately.splice(0, lately.length - LATELY);

  const faults = talks.flatMap(({ request, talk }) => faultsOf(request, talk));
  const said = gateway
    .complaints(lately)
    .map((what) => ({ rule: 'nothing on stderr, no error and no secret in the log', what }));
  const asked = directory
    .wronglyAsked()
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

/** Most jobs are short; others are asked for while they run. */
async function hasEnded({ url }: FuzzedGateway, job: string): Promise<boolean> {
  const until = performance.now() + ENDED_WITHIN_MS;
  while (performance.now() < until) {
    const response = await fetch(`${url}/jobs/${job}`).catch(() => null);
    const told = ((await response?.json().catch(() => null)) ?? {}) as { state?: string };
    if (told.state !== 'waiting' && told.state !== 'running') return true;
    await pause(LOOK_MS);
  }
  return false;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

export interface ReplayOptions {
  readonly seed: number;
  readonly found: FuzzCase;
  readonly installation: Installation;
}

/** With a gateway and a directory of its own. */
export async function replay({ seed, found, installation }: ReplayOptions): Promise<Fault[]> {
  const directory = await startFuzzDirectory(seed);
  const gateway = await installation.start(directory);
  try {
    return await play(found, gateway, directory);
  } finally {
    await gateway.end();
    await directory.close();
  }
}
