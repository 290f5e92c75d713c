// Shows the jobs of this browser and the jobs of the API key, so that the user can find a job again.

import type { Job, JobList, Send } from './job.ts';
import { apiKey, forget, ownJobs } from './own-jobs.ts';

interface Line {
  readonly id: string;
  readonly name: string;
  readonly words: string;
}

/** The number of calls of `showOwnJobs`. Only the last call shows its list. */
let calls = 0;

/**
 * @param wordsFor describes the state of a job
 * @returns true if a job of this browser needs an API key that the user has not given
 */
export async function showOwnJobs(
  send: Send,
  wordsFor: (job: Job) => string,
  remove: (id: string) => void,
): Promise<boolean> {
  calls += 1;
  const call = calls;
  const lines = await linesOf(send, wordsFor);
  if (call === calls) {
    const section = document.getElementById('own') as HTMLElement;
    section.hidden = lines.length === 0;
    section.querySelector('ul')?.replaceChildren(...lines.map((line) => itemOf(line, remove)));
  }
  return lines.some(({ words }) => words === NEEDS_KEY);
}

const NEEDS_KEY = 'The job needs its API key.';

async function linesOf(send: Send, wordsFor: (job: Job) => string): Promise<Line[]> {
  const own = ownJobs();
  const { data } = apiKey() === '' ? { data: null } : await send<JobList>('./jobs');
  const listed = (data?.jobs ?? []).map((job) => {
    const id = job.job.split('/').at(-1) ?? '';
    return { id, name: own.find((ownJob) => ownJob.id === id)?.name ?? nameFor(job), words: wordsFor(job) };
  });
  const others = own.filter(({ id }) => !listed.some((line) => line.id === id));
  const lines = await Promise.all(
    others.map(async ({ id, name, hasKey }) => {
      const { status, data: job } = await send<Job>(`./jobs/${id}`);
      if (job) return [{ id, name, words: wordsFor(job) }];
      if (hasKey && apiKey() === '') return [{ id, name, words: NEEDS_KEY }];
      if (status !== 404) return [{ id, name, words: 'The state of the job is unknown at the moment.' }];
      forget(id);
      return [];
    }),
  );
  return [...lines.flat(), ...listed];
}

function nameFor({ createdAt }: Job) {
  return `A file from ${new Date(createdAt).toLocaleString('en')}`;
}

function itemOf({ id, name, words }: Line, remove: (id: string) => void) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `#${id}`;
  link.textContent = name;
  const state = document.createElement('span');
  state.textContent = words;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  const isOnlyRemembered = words === NEEDS_KEY;
  button.textContent = isOnlyRemembered ? 'Forget' : 'Delete';
  button.setAttribute('aria-label', `${button.textContent} ${name}`);
  button.addEventListener('click', () => {
    if (!isOnlyRemembered) return remove(id);
    forget(id);
    item.remove();
  });
  item.append(link, state, button);
  return item;
}
