// Uploads a file, shows the progress of its job, and offers the result. The id of the job is after the # of the address.
// Browsers send this part of the address to no server.

import { type Job, type JobAddress, type JobResponse, OUTCOMES, readResponse } from './job.ts';
import { apiKey, forget, keepApiKey, remember } from './own-jobs.ts';
import { showOwnJobs } from './own-list.ts';

const POLL_MS = 1_000;

/** An element of index.html. */
const byId = <Made extends HTMLElement>(id: string): Made => document.getElementById(id) as Made;

const form = byId<HTMLFormElement>('upload-form');
const jobSection = byId('job');
const progressBar = byId<HTMLProgressElement>('progress');
const download = byId<HTMLAnchorElement>('download');

/** The id of the job that the page shows, or an empty text. The id can change while a request runs. */
let currentId = '';
let lastMessage = '';

const numberFormat = new Intl.NumberFormat('en');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const [file] = byId<HTMLInputElement>('file').files ?? [];
  if (file) upload(file);
});
byId('stop').addEventListener('click', () => void remove(currentId));
byId('key').addEventListener('change', () => void listOwnJobs());
byId('another').addEventListener('click', () => show(''));
addEventListener('hashchange', () => show(location.hash.slice(1)));
show(location.hash.slice(1));

function headers(): Record<string, string> {
  const typed = byId<HTMLInputElement>('key').value.trim();
  if (typed !== '') keepApiKey(typed);
  const key = apiKey();
  return {
    'x-doi-gateway': 'jobs',
    accept: 'application/json',
    ...(key && { authorization: `Bearer ${key}` }),
  };
}

function upload(file: File) {
  const query = new URLSearchParams();
  for (const option of ['column', 'reference', 'delimiter', 'encoding', 'prefix']) {
    const value = byId<HTMLInputElement | HTMLSelectElement>(option).value.trim();
    if (value !== '') query.set(option, value);
  }
  const fields = new FormData(form).getAll('field');
  if (fields.length > 0) query.set('fields', fields.join());
  for (const option of ['split', 'excel']) {
    if (byId<HTMLInputElement>(option).checked) query.set(option, 'yes');
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
    const { status, data, refusal } = readResponse<JobAddress>(request.status, request.responseText);
    if (!data) return showRefusal(status, refusal);
    const id = data.job.split('/').at(-1) ?? '';
    remember({ id, name: file.name, hasKey: apiKey() !== '' });
    show(id);
  });
  request.addEventListener('error', () => showRefusal(0, null));
  request.send(file);
}

/** @param refusal the message of the gateway; null if there is no message */
function showRefusal(status: number, refusal: string | null) {
  if (status === 401) byId('key-part').hidden = false;
  form.hidden = false;
  jobSection.hidden = true;
  const words = refusal ?? 'The gateway cannot be reached, or the connection ended.';
  announce(words);
  let message = form.querySelector('.wrong');
  if (!message) {
    message = document.createElement('p');
    message.className = 'wrong';
    form.append(message);
  }
  message.textContent = words;
}

/** @param id empty to show the form */
function show(id: string) {
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

async function send<Data>(path: string, method = 'GET'): Promise<JobResponse<Data>> {
  const response = await fetch(path, { method, headers: headers() }).catch(() => null);
  return readResponse(response?.status ?? 0, (await response?.text().catch(() => '')) ?? '');
}

/** Repeats requests until the job ends, the gateway refuses a request, or the page shows another job. */
async function poll(id: string) {
  while (currentId === id) {
    const { status, data, refusal } = await send<Job>(`./jobs/${id}`);
    if (currentId !== id) return;
    if (data) showJob(id, data);
    else if (status >= 400 && status < 500) {
      announce(refusal ?? 'There is no such job.');
      byId('stop').hidden = true;
      byId('another').hidden = false;
      return;
    }
    if (data && hasEnded(data)) return listOwnJobs();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function showJob(id: string, job: Job) {
  byId('counts').hidden = false;
  showShare(job.rows === 0 ? 0 : job.rowsDone / job.rows);
  byId('rows').textContent = `${numberFormat.format(job.rowsDone)} of ${numberFormat.format(job.rows)}`;
  for (const name of OUTCOMES) {
    const cell = byId(name);
    cell.textContent = numberFormat.format(job[name]);
    const isUsual = name === 'found' || name === 'absent' || name === 'failed';
    cell.parentElement?.toggleAttribute('hidden', job[name] === 0 && !isUsual);
  }
  announce(wordsFor(job));
  byId('another').hidden = !hasEnded(job);
  const until = job.keptUntil ? new Date(job.keptUntil).toLocaleString('en') : '';
  byId('kept').textContent = until ? `The gateway keeps the job until ${until}.` : '';
  if (job.state !== 'done') return;
  download.hidden = false;
  download.href = `./jobs/${id}/result`;
}

const hasEnded = ({ state }: Job) => state === 'done' || state === 'failed';

function wordsFor({ state, reason }: Job) {
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

async function save(address: string) {
  const response = await fetch(address, { headers: headers() }).catch(() => null);
  if (!response?.ok) return announce('The result could not be downloaded. Try again.');
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name ?? 'doi-names.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}

async function remove(id: string) {
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

function showShare(share: number) {
  progressBar.value = share;
}

/** Shows a new message, and lets screen readers read it. */
function announce(words: string) {
  if (words === lastMessage) return;
  lastMessage = words;
  byId('state').textContent = words;
  byId('announcement').textContent = words;
}
