// @ts-check
// Uploads a file, shows the progress of its job, and offers the result. The id of the job is after the # of the address.
// Browsers send this part of the address to no server.

import { apiKey, forget, keepApiKey, remember } from './own-jobs.js';
import { showOwnJobs } from './own-list.js';

const POLL_MS = 1_000;

const OUTCOMES = /** @type {const} */ ([
  'found',
  'differs',
  'several',
  'notFound',
  'absent',
  'answered',
  'severalNames',
  'empty',
  'notInSample',
  'invalid',
  'unreadable',
  'failed',
]);

/** @typedef {Record<(typeof OUTCOMES)[number], number> & { state: string, rows: number, rowsDone: number, reason: string | null, keptUntil: string | null }} Job */

/** @template {HTMLElement} T @param {string} id @returns {T} */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

const form = /** @type {HTMLFormElement} */ (byId('upload-form'));
const jobSection = byId('job');
const progressBar = /** @type {HTMLProgressElement} */ (byId('progress'));
const download = /** @type {HTMLAnchorElement} */ (byId('download'));

/** The id of the job that the page shows, or an empty text. The id can change while a request runs. */
let currentId = '';
let lastMessage = '';

const numberFormat = new Intl.NumberFormat('en');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const [file] = /** @type {HTMLInputElement} */ (byId('file')).files ?? [];
  if (file) upload(file);
});
byId('stop').addEventListener('click', () => void remove(currentId));
byId('key').addEventListener('change', () => void listOwnJobs());
byId('another').addEventListener('click', () => show(''));
addEventListener('hashchange', () => show(location.hash.slice(1)));
show(location.hash.slice(1));

/** @returns {Record<string, string>} */
function headers() {
  const typed = /** @type {HTMLInputElement} */ (byId('key')).value.trim();
  if (typed !== '') keepApiKey(typed);
  const key = apiKey();
  return {
    'x-doi-gateway': 'jobs',
    accept: 'application/json',
    ...(key && { authorization: `Bearer ${key}` }),
  };
}

/** @param {File} file */
function upload(file) {
  const query = new URLSearchParams();
  for (const option of ['column', 'reference', 'delimiter', 'encoding', 'prefix']) {
    const value = /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(option)).value.trim();
    if (value !== '') query.set(option, value);
  }
  const fields = new FormData(form).getAll('field');
  if (fields.length > 0) query.set('fields', fields.join());
  for (const option of ['split', 'excel']) {
    if (/** @type {HTMLInputElement} */ (byId(option)).checked) query.set(option, 'yes');
  }
  const input = /\.(csv|tsv|jsonl)$/i.exec(file.name)?.[1];
  if (input) query.set('input', input.toLowerCase());
  query.set('name', file.name.slice(-200));

  form.hidden = true;
  jobSection.hidden = false;
  byId('stop').hidden = true;
  announce('The browser uploads the file.');
  // `fetch` does not report upload progress.
  const request = new XMLHttpRequest();
  request.open('POST', `./jobs?${query}`);
  for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) => showShare(loaded / total));
  request.addEventListener('load', () => {
    const answer = parseOrNull(request.responseText);
    if (request.status !== 201) return showRefusal(request.status, answer);
    const id = String(answer?.job).split('/').at(-1) ?? '';
    remember({ id, name: file.name, hasKey: apiKey() !== '' });
    show(id);
  });
  request.addEventListener('error', () => showRefusal(0, null));
  request.send(file);
}

/** @param {number} status @param {any} answer */
function showRefusal(status, answer) {
  if (status === 401) byId('key-part').hidden = false;
  form.hidden = false;
  jobSection.hidden = true;
  const words = answer?.errors?.[0]?.message ?? 'The gateway cannot be reached, or the connection ended.';
  announce(words);
  let message = form.querySelector('.wrong');
  if (!message) {
    message = document.createElement('p');
    message.className = 'wrong';
    form.append(message);
  }
  message.textContent = words;
}

/** @param {string} id empty to show the form */
function show(id) {
  currentId = id;
  lastMessage = '';
  form.querySelector('.wrong')?.remove();
  history.replaceState(null, '', id === '' ? location.pathname : `#${id}`);
  form.hidden = id !== '';
  jobSection.hidden = id === '';
  byId('counts').hidden = true;
  byId('another').hidden = true;
  byId('stop').hidden = false;
  download.hidden = true;
  progressBar.removeAttribute('value');
  if (id !== '') void poll(id);
  void listOwnJobs();
}

async function listOwnJobs() {
  if (await showOwnJobs(send, wordsFor, (id) => void remove(id))) byId('key-part').hidden = false;
}

/** @param {string} path @param {string} [method] @returns {Promise<{ status: number, answer: any }>} */
async function send(path, method = 'GET') {
  const response = await fetch(path, { method, headers: headers() }).catch(() => null);
  const answer = parseOrNull((await response?.text().catch(() => '')) ?? '');
  return { status: response?.status ?? 0, answer };
}

/** Repeats requests until the job ends, the gateway refuses a request, or the page shows another job. @param {string} id */
async function poll(id) {
  while (currentId === id) {
    const { status, answer } = await send(`./jobs/${id}`);
    if (currentId !== id) return;
    if (status === 200) showJob(id, answer);
    else if (status >= 400 && status < 500) {
      announce(answer?.errors?.[0]?.message ?? 'There is no such job.');
      byId('stop').hidden = true;
      byId('another').hidden = false;
      return;
    }
    if (status === 200 && ['done', 'failed'].includes(answer.state)) return listOwnJobs();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** @param {string} id @param {Job} job */
function showJob(id, job) {
  byId('counts').hidden = false;
  showShare(job.rows === 0 ? 0 : job.rowsDone / job.rows);
  byId('rows').textContent = `${numberFormat.format(job.rowsDone)} of ${numberFormat.format(job.rows)}`;
  for (const name of OUTCOMES) {
    byId(name).textContent = numberFormat.format(job[name]);
    const isUsual = name === 'found' || name === 'absent' || name === 'failed';
    /** @type {HTMLElement} */ (byId(name).parentElement).hidden = job[name] === 0 && !isUsual;
  }
  announce(wordsFor(job));
  const hasEnded = job.state === 'done' || job.state === 'failed';
  byId('another').hidden = !hasEnded;
  const until = job.keptUntil ? new Date(job.keptUntil).toLocaleString('en') : '';
  byId('kept').textContent = until ? `The gateway keeps the job until ${until}.` : '';
  if (job.state !== 'done') return;
  download.hidden = false;
  download.href = `./jobs/${id}/result`;
}

/** @param {Job} job */
function wordsFor({ state, reason }) {
  if (state === 'waiting') return 'The job waits.';
  if (state === 'running') return 'The job runs.';
  return state === 'done' ? 'The job is done.' : `The job failed. ${reason ?? ''}`;
}

// A link sends no API key. If there is a key, the page itself requests the result with the key.
download.addEventListener('click', (event) => {
  if (apiKey() === '') return;
  event.preventDefault();
  void save(download.href);
});

/** @param {string} address */
async function save(address) {
  const response = await fetch(address, { headers: headers() }).catch(() => null);
  if (!response?.ok) return announce('The result could not be downloaded. Try again.');
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name ?? 'doi-names.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @param {string} id */
async function remove(id) {
  const isDone = id !== currentId || !download.hidden;
  const what = isDone
    ? 'the uploaded file and its result'
    : 'the uploaded file and the finished part of its result';
  if (!confirm(`Delete ${what}? This cannot be undone.`)) return;
  const { status } = await send(`./jobs/${id}`, 'DELETE');
  if (status !== 204 && status !== 404) return announce('The job could not be deleted. Try again.');
  forget(id);
  if (id === currentId) show('');
  else void listOwnJobs();
  announce('The job and its files are deleted.');
}

/** @param {number} share */
function showShare(share) {
  progressBar.value = share;
}

/** Shows a new message, and lets screen readers read it. @param {string} words */
function announce(words) {
  if (words === lastMessage) return;
  lastMessage = words;
  byId('state').textContent = words;
  byId('announcement').textContent = words;
}

/** @param {string} text @returns {any} */
function parseOrNull(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
