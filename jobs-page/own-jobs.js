// @ts-check
// The jobs that this browser has put in: their addresses are kept nowhere else, so it remembers them.

/** The inspector keeps an API key in the same place. */
const KEY_PLACE = 'doi-gateway-key';
const JOBS_PLACE = 'doi-gateway-jobs';
const MOST = 100;
const ID = /^[\w-]{24}$/;

/** @typedef {{ id: string, name: string, hasKey: boolean }} OwnJob `hasKey`: it is shown to an API key alone */

/** A browser may refuse to store anything: then the page itself remembers. @type {Map<string, string>} */
const inPage = new Map();

/** @param {'localStorage' | 'sessionStorage'} storage @param {string} place */
function recall(storage, place) {
  try {
    return window[storage].getItem(place) ?? inPage.get(place) ?? '';
  } catch {
    return inPage.get(place) ?? '';
  }
}

/** @param {'localStorage' | 'sessionStorage'} storage @param {string} place @param {string} text */
function keep(storage, place, text) {
  inPage.set(place, text);
  try {
    window[storage].setItem(place, text);
  } catch {
    // It stays in this page.
  }
}

export const apiKey = () => recall('sessionStorage', KEY_PLACE);

/** @param {string} key */
export const keepApiKey = (key) => keep('sessionStorage', KEY_PLACE, key);

/** The newest first. @returns {OwnJob[]} */
export function ownJobs() {
  try {
    const jobs = JSON.parse(recall('localStorage', JOBS_PLACE));
    return Array.isArray(jobs) ? jobs.filter((job) => ID.test(job?.id)) : [];
  } catch {
    return [];
  }
}

/** @param {OwnJob} job */
export function remember(job) {
  keepJobs([job, ...ownJobs().filter(({ id }) => id !== job.id)].slice(0, MOST));
}

/** @param {string} gone */
export function forget(gone) {
  keepJobs(ownJobs().filter(({ id }) => id !== gone));
}

/** @param {OwnJob[]} jobs */
function keepJobs(jobs) {
  keep('localStorage', JOBS_PLACE, JSON.stringify(jobs));
}
