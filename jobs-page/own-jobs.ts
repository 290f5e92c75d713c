// Stores the ids of the jobs that this browser has started, so that the user can find them again.

/** The inspector stores an API key under the same name. */
const KEY_PLACE = 'doi-gateway-key';
const JOBS_PLACE = 'doi-gateway-jobs';
const MAX_JOBS = 100;
const ID = /^[\w-]{24}$/;

interface OwnJob {
  readonly id: string;
  readonly name: string;
  /** whether the gateway shows the job only with its API key */
  readonly hasKey: boolean;
}

/** The same texts, because the browser can refuse to store them. */
const textsInPage = new Map<string, string>();

function recall(storage: 'localStorage' | 'sessionStorage', place: string) {
  try {
    return window[storage].getItem(place) ?? textsInPage.get(place) ?? '';
  } catch {
    return textsInPage.get(place) ?? '';
  }
}

function keep(storage: 'localStorage' | 'sessionStorage', place: string, text: string) {
  textsInPage.set(place, text);
  try {
    window[storage].setItem(place, text);
  } catch {
    // The text stays in `textsInPage`.
  }
}

export const apiKey = () => recall('sessionStorage', KEY_PLACE);

export const keepApiKey = (key: string) => keep('sessionStorage', KEY_PLACE, key);

/** The newest job is first. */
export function ownJobs(): OwnJob[] {
  try {
    const jobs = JSON.parse(recall('localStorage', JOBS_PLACE)) as OwnJob[];
    return jobs.filter((job) => ID.test(job?.id));
  } catch {
    return [];
  }
}

export function remember(job: OwnJob) {
  keepJobs([job, ...ownJobs().filter(({ id }) => id !== job.id)].slice(0, MAX_JOBS));
}

export function forget(goneId: string) {
  keepJobs(ownJobs().filter(({ id }) => id !== goneId));
}

function keepJobs(jobs: OwnJob[]) {
  keep('localStorage', JOBS_PLACE, JSON.stringify(jobs));
}
