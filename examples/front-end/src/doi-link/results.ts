// One request for all elements of a page: collects inputs, sends them, and joins rows and errors to them.

import { type GraphqlError, query, type Row } from './query.ts';

/** What the gateway says of one input. */
export interface Result {
  readonly row: Row | null;
  readonly errors: readonly GraphqlError[];
}

type Settle = (result: Result) => void;

interface Gateway {
  readonly results: Map<string, Promise<Result>>;
  /** inputs of the next request */
  waiting: Map<string, Settle>;
}

const MAX_INPUTS = 1000;
/** A short request is a GET: caches keep its response, and no preflight precedes it. Servers read 8 kB of URL at least. */
const MAX_URL_LENGTH = 7500;
const TIMEOUT_MS = 20_000;
const MAX_RETRY_AFTER_SECONDS = 10;
const FAILED: Result = { row: null, errors: [] };

const gateways = new Map<string, Gateway>();

/** Never rejects. The same input of a page is requested once, unless it got no row. */
export function resultOf(url: string, input: string): Promise<Result> {
  const gateway = gateways.get(url) ?? { results: new Map(), waiting: new Map() };
  gateways.set(url, gateway);
  const known = gateway.results.get(input);
  if (known) return known;
  if (gateway.waiting.size === 0) whenCollected(() => flush(url, gateway));
  const result = new Promise<Result>((settle) => {
    gateway.waiting.set(input, settle);
  });
  gateway.results.set(input, result);
  return result;
}

/** After the task; while the parser still adds elements, after the page. */
function whenCollected(send: () => void): void {
  const later = () => setTimeout(send);
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', later, { once: true });
  else later();
}

function flush(url: string, gateway: Gateway): void {
  const waiting = [...gateway.waiting];
  gateway.waiting = new Map();
  for (let start = 0; start < waiting.length; start += MAX_INPUTS) {
    void settle(url, gateway, waiting.slice(start, start + MAX_INPUTS));
  }
}

async function settle(url: string, gateway: Gateway, part: readonly [string, Settle][]): Promise<void> {
  const results = await resultsOf(
    url,
    part.map(([input]) => input),
  );
  for (const [place, [input, settleOne]] of part.entries()) {
    const result = results[place] ?? FAILED;
    // An element that comes later may request it again.
    if (!result.row) gateway.results.delete(input);
    settleOne(result);
  }
}

/** With one retry of those inputs for which the gateway says when. */
async function resultsOf(url: string, inputs: readonly string[]): Promise<readonly Result[]> {
  const results = await request(url, inputs);
  const seconds = results.map(retryAfterSecondsOf);
  const retried = inputs.filter((_, place) => seconds[place]);
  if (retried.length === 0) return results;
  await new Promise((resolve) => setTimeout(resolve, Math.max(...seconds) * 1000));
  const again = await request(url, retried);
  return results.map((result, place) => {
    const next = seconds[place] ? again[retried.indexOf(inputs[place] ?? '')] : undefined;
    return next?.row ? next : result;
  });
}

/** 0: no retry. */
function retryAfterSecondsOf({ errors }: Result): number {
  const seconds = Math.max(0, ...errors.map(({ extensions }) => Number(extensions?.retryAfterSeconds) || 0));
  return seconds <= MAX_RETRY_AFTER_SECONDS ? seconds : 0;
}

/** In the order of the inputs; all FAILED if the gateway is down, too slow or no such gateway. */
async function request(url: string, inputs: readonly string[]): Promise<readonly Result[]> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(...requestOf(url, inputs, controller.signal));
    const { data, errors = [] } = await response.json();
    const byPlace = new Map<unknown, GraphqlError[]>();
    for (const error of errors as readonly GraphqlError[]) {
      const place = error.path?.[1];
      byPlace.set(place, [...(byPlace.get(place) ?? []), error]);
    }
    return inputs.map((_, place) => ({
      row: data?.dois?.[place] ?? null,
      // An error without a place is about every input.
      errors: [...(byPlace.get(place) ?? []), ...(byPlace.get(undefined) ?? [])],
    }));
  } catch {
    return inputs.map(() => FAILED);
  } finally {
    clearTimeout(timer);
  }
}

function requestOf(
  gateway: string,
  inputs: readonly string[],
  signal: AbortSignal,
): [url: string, init: RequestInit] {
  const init: RequestInit = { signal, credentials: 'omit', referrerPolicy: 'no-referrer' };
  const accept = 'application/json';
  const url = new URL(gateway);
  url.searchParams.set('query', query);
  url.searchParams.set('variables', JSON.stringify({ inputs }));
  if (url.href.length <= MAX_URL_LENGTH) return [url.href, { ...init, headers: { accept } }];
  const body = JSON.stringify({ query, variables: { inputs } });
  return [gateway, { ...init, method: 'POST', headers: { accept, 'content-type': accept }, body }];
}
