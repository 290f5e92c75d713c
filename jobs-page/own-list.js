// @ts-check
// Shows the jobs of this browser and those of the API key, if there is one, so that a lost address can be found again.

import { apiKey, forget, ownJobs } from './own-jobs.js';

/** @typedef {{ id: string, name: string, words: string }} Line */
/** @typedef {(path: string) => Promise<{ status: number, answer: any }>} Ask `status` is 0 without a response */

/** The last look; an earlier one that ends later shows nothing. */
let looks = 0;

/**
 * @param {Ask} ask
 * @param {(job: any) => string} wordsFor says how far a job is
 * @param {(id: string) => void} remove
 * @returns {Promise<boolean>} whether a job of this browser needs an API key that is not there
 */
export async function showOwnJobs(ask, wordsFor, remove) {
  looks += 1;
  const look = looks;
  const lines = await linesOf(ask, wordsFor);
  if (look === looks) {
    const section = /** @type {HTMLElement} */ (document.getElementById('own'));
    section.hidden = lines.length === 0;
    section.querySelector('ul')?.replaceChildren(...lines.map((line) => itemOf(line, remove)));
  }
  return lines.some(({ words }) => words === NEEDS_KEY);
}

const NEEDS_KEY = 'It needs its API key.';

/** @param {Ask} ask @param {(job: any) => string} wordsFor @returns {Promise<Line[]>} */
async function linesOf(ask, wordsFor) {
  const own = ownJobs();
  const { answer } = apiKey() === '' ? { answer: null } : await ask('./jobs');
  /** @type {any[]} */
  const jobs = answer?.jobs ?? [];
  const listed = jobs.map((job) => {
    const id = job.job.split('/').at(-1);
    return { id, name: own.find((one) => one.id === id)?.name ?? nameless(job), words: wordsFor(job) };
  });
  const others = own.filter(({ id }) => !listed.some((line) => line.id === id));
  const lines = await Promise.all(
    others.map(async ({ id, name, hasKey }) => {
      const { status, answer: job } = await ask(`./jobs/${id}`);
      if (status === 200) return [{ id, name, words: wordsFor(job) }];
      if (hasKey && apiKey() === '') return [{ id, name, words: NEEDS_KEY }];
      if (status !== 404) return [{ id, name, words: 'How far it is cannot be seen now.' }];
      forget(id);
      return [];
    }),
  );
  return [...lines.flat(), ...listed];
}

/** @param {any} job */
function nameless({ createdAt }) {
  return `A file of ${new Date(createdAt).toLocaleString('en')}`;
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
