// @ts-check
// Stores the ids of the jobs that this browser has started, so that the user can find them again.

/** The inspector stores an API key under the same name. */
const KEY_PLACE = 'doi-gateway-key';
const JOBS_PLACE = 'doi-gateway-jobs';
const MAX_JOBS = 100;
const ID = /^[\w-]{24}$/;

/** @typedef {{ id: string, name: string, hasKey: boolean }} OwnJob `hasKey`: the gateway shows the job only with its API key */

/** The same texts, because the browser can refuse to store them. @type {Map<string, string>} */
const textsInPage = new Map();

/** @param {'localStorage' | 'sessionStorage'} storage @param {string} place */
function recall(storage, place) {
  try {
    return window[storage].getItem(place) ?? textsInPage.get(place) ?? '';
  } catch {
    return textsInPage.get(place) ?? '';
  }
}

/** @param {'localStorage' | 'sessionStorage'} storage @param {string} place @param {string} text */
function keep(storage, place, text) {
  textsInPage.set(place, text);
  try {
    window[storage].setItem(place, text);
  } catch {
    // The text stays in `textsInPage`.
  }
}

export const apiKey = () => recall('sessionStorage', KEY_PLACE);

/** @param {string} key */
export const keepApiKey = (key) => keep('sessionStorage', KEY_PLACE, key);

/** The newest job is first. @returns {OwnJob[]} */
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
  keepJobs([job, ...ownJobs().filter(({ id }) => id !== job.id)].slice(0, MAX_JOBS));
}

/** @param {string} goneId */
export function forget(goneId) {
  keepJobs(ownJobs().filter(({ id }) => id !== goneId));
}

/** @param {OwnJob[]} jobs */
function keepJobs(jobs) {
  keep('localStorage', JOBS_PLACE, JSON.stringify(jobs));
}
