// The responses of the jobs API.

/** The outcomes that a job counts. */
export const OUTCOMES = [
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
] as const;

export interface Job extends Readonly<Record<(typeof OUTCOMES)[number], number>> {
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly rows: number;
  readonly rowsDone: number;
  readonly createdAt: string;
  /** null if the job did not fail */
  readonly reason: string | null;
  /** null until the job has ended */
  readonly keptUntil: string | null;
}

/** The address of a job. */
export interface JobAddress {
  readonly job: string;
}

/** The jobs of an API key. */
export interface JobList {
  readonly jobs: readonly (Job & JobAddress)[];
}

export interface JobResponse<Data> {
  /** 0 without a response */
  readonly status: number;
  /** null if the request was refused */
  readonly data: Data | null;
  /** the message of a refused request; null if there is no message */
  readonly refusal: string | null;
}

/** Sends a request to the jobs API. Never rejects. */
export type Send = <Data>(path: string, method?: string) => Promise<JobResponse<Data>>;

/** @param text the body, which is not JSON if it is from another server */
export function readResponse<Data>(status: number, text: string): JobResponse<Data> {
  const isOk = status >= 200 && status < 300;
  try {
    const answer = JSON.parse(text) as Data & { errors?: readonly { message: string }[] };
    return { status, data: isOk ? answer : null, refusal: answer.errors?.[0]?.message ?? null };
  } catch {
    return { status, data: null, refusal: null };
  }
}
