// @ts-check
// Shows the jobs of this browser and the jobs of the API key, so that the user can find a job again.

import { apiKey, forget, ownJobs } from './own-jobs.js';

/** @typedef {{ id: string, name: string, words: string }} Line */
/** @typedef {(path: string) => Promise<{ status: number, answer: any }>} Send `status` is 0 without a response */

/** The number of calls of `showOwnJobs`. Only the last call shows its list. */
let calls = 0;

/**
 * @param {Send} send
 * @param {(job: any) => string} wordsFor describes the state of a job
 * @param {(id: string) => void} remove
 * @returns {Promise<boolean>} true if a job of this browser needs an API key that the user has not given
 */
export async function showOwnJobs(send, wordsFor, remove) {
  calls += 1;
  const call = calls;
  const lines = await linesOf(send, wordsFor);
  if (call === calls) {
    const section = /** @type {HTMLElement} */ (document.getElementById('own'));
    section.hidden = lines.length === 0;
    section.querySelector('ul')?.replaceChildren(...lines.map((line) => itemOf(line, remove)));
  }
  return lines.some(({ words }) => words === NEEDS_KEY);
}

const NEEDS_KEY = 'The job needs its API key.';

/** @param {Send} send @param {(job: any) => string} wordsFor @returns {Promise<Line[]>} */
async function linesOf(send, wordsFor) {
  const own = ownJobs();
  const { answer } = apiKey() === '' ? { answer: null } : await send('./jobs');
  /** @type {any[]} */
  const jobs = answer?.jobs ?? [];
  const listed = jobs.map((job) => {
    const id = job.job.split('/').at(-1);
    return { id, name: own.find((ownJob) => ownJob.id === id)?.name ?? nameFor(job), words: wordsFor(job) };
  });
  const others = own.filter(({ id }) => !listed.some((line) => line.id === id));
  const lines = await Promise.all(
    others.map(async ({ id, name, hasKey }) => {
      const { status, answer: job } = await send(`./jobs/${id}`);
      if (status === 200) return [{ id, name, words: wordsFor(job) }];
      if (hasKey && apiKey() === '') return [{ id, name, words: NEEDS_KEY }];
      if (status !== 404) return [{ id, name, words: 'The state of the job is unknown at the moment.' }];
      forget(id);
      return [];
    }),
  );
  return [...lines.flat(), ...listed];
}

/** @param {any} job */
function nameFor({ createdAt }) {
  return `A file from ${new Date(createdAt).toLocaleString('en')}`;
}

/** @param {Line} line @param {(id: string) => void} remove */
function itemOf({ id, name, words }, remove) {
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
