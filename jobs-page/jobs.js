// @ts-check
// Puts a file in, shows how far it is, and offers the result. The job's id stands behind the # of the address, which
// no server and no other site gets to see.

import { apiKey, forget, keepApiKey, remember } from './own-jobs.js';
import { showOwnJobs } from './own-list.js';

const LOOK_MS = 1_000;

/** @typedef {{ state: string, rows: number, rowsDone: number, found: number, absent: number, invalid: number, failed: number, reason: string | null, keptUntil: string | null }} Job */

/** @template {HTMLElement} T @param {string} id @returns {T} */
const part = (id) => /** @type {T} */ (document.getElementById(id));

const form = /** @type {HTMLFormElement} */ (part('put-in'));
const shown = part('job');
const bar = /** @type {HTMLProgressElement} */ (part('progress'));
const download = /** @type {HTMLAnchorElement} */ (part('download'));

/** The job that is shown; another one, or none, may be by the time an answer comes. */
let current = '';
let lastSaid = '';

const count = new Intl.NumberFormat('en');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const [file] = /** @type {HTMLInputElement} */ (part('file')).files ?? [];
  if (file) putIn(file);
});
part('stop').addEventListener('click', () => void remove(current));
part('key').addEventListener('change', () => void list());
part('another').addEventListener('click', () => show(''));
addEventListener('hashchange', () => show(location.hash.slice(1)));
show(location.hash.slice(1));

/** @returns {Record<string, string>} */
function headers() {
  const typed = /** @type {HTMLInputElement} */ (part('key')).value.trim();
  if (typed !== '') keepApiKey(typed);
  const key = apiKey();
  return {
    'x-doi-gateway': 'jobs',
    accept: 'application/json',
    ...(key && { authorization: `Bearer ${key}` }),
  };
}

/** @param {File} file */
function putIn(file) {
  const query = new URLSearchParams();
  const column = /** @type {HTMLInputElement} */ (part('column')).value.trim();
  if (column !== '') query.set('column', column);
  const fields = new FormData(form).getAll('field');
  if (fields.length > 0) query.set('fields', fields.join());
  if (/** @type {HTMLInputElement} */ (part('excel')).checked) query.set('excel', 'yes');
  const input = /\.(csv|tsv|jsonl)$/i.exec(file.name)?.[1];
  if (input) query.set('input', input.toLowerCase());
  query.set('name', file.name.slice(-200));

  form.hidden = true;
  shown.hidden = false;
  part('stop').hidden = true;
  say('The file is on its way.');
  // `fetch` does not report upload progress.
  const request = new XMLHttpRequest();
  request.open('POST', `./jobs?${query}`);
  for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) => fill(loaded / total));
  request.addEventListener('load', () => {
    const answer = read(request.responseText);
    if (request.status !== 201) return refused(request.status, answer);
    const id = String(answer?.job).split('/').at(-1) ?? '';
    remember({ id, name: file.name, hasKey: apiKey() !== '' });
    show(id);
  });
  request.addEventListener('error', () => refused(0, null));
  request.send(file);
}

/** @param {number} status @param {any} answer */
function refused(status, answer) {
  if (status === 401) part('key-part').hidden = false;
  form.hidden = false;
  shown.hidden = true;
  const words = answer?.errors?.[0]?.message ?? 'The gateway cannot be reached, or broke off.';
  say(words);
  let message = form.querySelector('.wrong');
  if (!message) {
    message = document.createElement('p');
    message.className = 'wrong';
    form.append(message);
  }
  message.textContent = words;
}

/** @param {string} id empty: none */
function show(id) {
  current = id;
  lastSaid = '';
  form.querySelector('.wrong')?.remove();
  history.replaceState(null, '', id === '' ? location.pathname : `#${id}`);
  form.hidden = id !== '';
  shown.hidden = id === '';
  part('counts').hidden = true;
  part('another').hidden = true;
  part('stop').hidden = false;
  download.hidden = true;
  bar.removeAttribute('value');
  if (id !== '') void look(id);
  void list();
}

async function list() {
  if (await showOwnJobs(ask, wordsFor, (id) => void remove(id))) part('key-part').hidden = false;
}

/** @param {string} path @param {string} [method] @returns {Promise<{ status: number, answer: any }>} */
async function ask(path, method = 'GET') {
  const response = await fetch(path, { method, headers: headers() }).catch(() => null);
  const answer = read((await response?.text().catch(() => '')) ?? '');
  return { status: response?.status ?? 0, answer };
}

/** Looks again and again, until the job has ended or another one is shown. @param {string} id */
async function look(id) {
  while (current === id) {
    const { status, answer } = await ask(`./jobs/${id}`);
    if (current !== id) return;
    if (status === 200) showJob(id, answer);
    else if (status >= 400 && status < 500) {
      say(answer?.errors?.[0]?.message ?? 'There is no such job.');
      part('stop').hidden = true;
      part('another').hidden = false;
      return;
    }
    if (status === 200 && ['done', 'failed'].includes(answer.state)) return list();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** @param {string} id @param {Job} job */
function showJob(id, job) {
  part('counts').hidden = false;
  fill(job.rows === 0 ? 0 : job.rowsDone / job.rows);
  part('rows').textContent = `${count.format(job.rowsDone)} of ${count.format(job.rows)}`;
  for (const name of /** @type {const} */ (['found', 'absent', 'invalid', 'failed'])) {
    part(name).textContent = count.format(job[name]);
  }
  say(wordsFor(job));
  const hasEnded = job.state === 'done' || job.state === 'failed';
  part('another').hidden = !hasEnded;
  const until = job.keptUntil ? new Date(job.keptUntil).toLocaleString('en') : '';
  part('kept').textContent = until ? `It is kept until ${until}.` : '';
  if (job.state !== 'done') return;
  download.hidden = false;
  download.href = `./jobs/${id}/result`;
}

/** @param {Job} job */
function wordsFor({ state, reason }) {
  if (state === 'waiting') return 'It waits for its turn.';
  if (state === 'running') return 'It is being worked on.';
  return state === 'done' ? 'It is done.' : `It failed. ${reason ?? ''}`;
}

// A link carries no API key.
download.addEventListener('click', (event) => {
  if (apiKey() === '') return;
  event.preventDefault();
  void save(download.href);
});

/** @param {string} address */
async function save(address) {
  const response = await fetch(address, { headers: headers() });
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name ?? 'doi-names.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @param {string} id */
async function remove(id) {
  const isDone = id !== current || !download.hidden;
  const what = isDone
    ? 'the file that you put in and its result'
    : 'the file that you put in and what is done of it';
  if (!confirm(`Delete ${what}? They cannot be brought back.`)) return;
  const { status } = await ask(`./jobs/${id}`, 'DELETE');
  if (status !== 204 && status !== 404) return say('It could not be deleted. Try again.');
  forget(id);
  if (id === current) show('');
  else void list();
  say('It was stopped, and everything of it is deleted.');
}

/** @param {number} share */
function fill(share) {
  bar.value = share;
}

/** To see and to hear, once. @param {string} words */
function say(words) {
  if (words === lastSaid) return;
  lastSaid = words;
  part('state').textContent = words;
  part('said').textContent = words;
}

/** @param {string} text @returns {any} */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
