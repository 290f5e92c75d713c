// Searches the DOIs of references, a few in one request: agencies allow one to three searches per second.

import type { ReferenceInWords } from '../src/works/reference-lists/references-in-words.ts';
import { failureOf, GatewayFailure, sendOperation } from './gateway.ts';
import { referenceSearchView } from './reference-search-view.ts';
import { isInWords, MAX_REFERENCE_CHARACTERS } from './running-text.ts';
import { say } from './say.ts';
import { createTurn, pause } from './turn.ts';
import { count, duration, workFailureInWords } from './words.ts';

/** The number of references in one request. */
const AT_ONCE = 5;
/** After these errors, the page waits and sends the reference again. */
const BUSY = ['GATEWAY_BUSY', 'RATE_LIMITED'];
const MAX_REQUESTS = 10;
const WAIT_SECONDS = { default: 2, max: 60 };

const OFF = 'This gateway does not search for the DOIs of references.';
/** Whether matching is off in the gateway. Once true, it stays true until the page is closed. */
let isOff = false;

/** @param split how the text was split @param pageSignal aborts all requests */
export function createReferenceSearch(
  references: readonly ReferenceInWords[],
  split: string,
  pageSignal: AbortSignal,
) {
  const turn = createTurn();
  pageSignal.addEventListener('abort', turn.end);
  /** The indexes of references that are not searched yet. */
  let queue = references.map((_, at) => at);
  /** The indexes of references whose search failed, but can succeed later. */
  let failed: number[] = [];
  let isRunning = false;
  /** The number of requests for a reference that the gateway was too busy for. */
  const requests = references.map(() => 0);
  /** The DOI of each reference that was found, by its index. */
  const found = new Map<number, string>();
  /** The number of references with each outcome. */
  const outcomes = new Map<string, number>();
  const view = referenceSearchView({ references, split }, press, allFound, pageSignal);
  if (isOff) view.putOff(OFF);
  return view.element;

  function allFound() {
    return [...found]
      .sort(([one], [other]) => one - other)
      .map(([, name]) => `${name}\n`)
      .join('');
  }

  function press() {
    if (isRunning) turn.end();
    else void run();
  }

  async function run() {
    const signal = turn.begin();
    isRunning = true;
    for (const at of failed) requests[at] = 0;
    queue = [...queue, ...failed].sort((one, other) => one - other);
    failed = [];
    view.putLabel('Stop');
    say(`Searching ${count(queue.length, 'reference')}.`);
    try {
      while (queue.length > 0 && !isOff) {
        view.putNote(`${done()} of ${count(references.length, 'reference')} searched.`);
        const seconds = await searchNext(signal);
        if (seconds > 0) {
          view.putNote(`The gateway is busy. The search goes on in ${duration(seconds)}.`);
          await pause(seconds * 1_000, signal);
        }
      }
    } catch (error) {
      if (error instanceof GatewayFailure) return end(workFailureInWords(error.code, error.message));
      if (!signal.aborted) throw error;
    }
    if (!pageSignal.aborted) end('');
  }

  /** @param reason why the search ended early */
  function end(reason: string) {
    isRunning = false;
    if (isOff) {
      view.putOff(OFF);
      return say(OFF);
    }
    // References that waited for a busy gateway.
    for (const at of queue) view.wait(at, false);
    view.putLabel(failed.length > 0 ? 'Try again' : queue.length > 0 ? 'Continue' : null);
    const sentence = `${reason !== '' ? `The search ended: ${reason} ` : ''}${summary()}`;
    view.putNote(sentence);
    say(sentence);
  }

  function done() {
    return references.length - queue.length - failed.length;
  }

  function summary() {
    const number = (outcome: string) => outcomes.get(outcome) ?? 0;
    const parts = [
      `${number('FOUND')} found`,
      number('DIFFERS') > 0 && `${number('DIFFERS')} with differences`,
      number('SEVERAL') > 0 && `${number('SEVERAL')} with several works`,
      number('NOT_FOUND') > 0 && `${number('NOT_FOUND')} not found`,
      failed.length > 0 && `${failed.length} failed`,
    ];
    return `${done()} of ${count(references.length, 'reference')} searched: ${parts.filter(Boolean).join(', ')}.`;
  }

  /** Takes the next references from the queue. Headings need no search. */
  function nextPart() {
    const part: number[] = [];
    while (queue.length > 0 && part.length < AT_ONCE) {
      const at = queue.shift() as number;
      view.showUpTo(at + 1);
      if (isInWords(references[at]?.text ?? '')) part.push(at);
      else view.putWords(at, 'Not searched: a reference has at least four words.');
    }
    return part;
  }

  /** Resolves to the seconds to wait before the next request. */
  async function searchNext(signal: AbortSignal) {
    const part = nextPart();
    if (part.length === 0) return 0;
    for (const at of part) view.wait(at, true);
    try {
      const texts = part.map((at) => (references[at]?.text ?? '').slice(0, MAX_REFERENCE_CHARACTERS));
      const { data, errors } = await sendOperation('InspectMatches', { references: texts }, signal);
      const matches = data.matchReferences;
      if (!matches) throw failureOf(errors[0]);
      const waits = part.map((at, place) => {
        const match = matches[place];
        if (!match) return fail(at, failureOf(errors.find(({ path }) => path?.[1] === place)));
        view.put(at, match);
        outcomes.set(match.outcome, (outcomes.get(match.outcome) ?? 0) + 1);
        if (match.outcome === 'FOUND' && match.doi) found.set(at, match.doi.name);
        return 0;
      });
      view.putFoundCount(found.size);
      queue.sort((one, other) => one - other);
      return Math.max(...waits);
    } catch (error) {
      if (!(error instanceof GatewayFailure)) {
        // Stopped: a later search sends these references again.
        for (const at of part) view.wait(at, false);
        queue.unshift(...part);
        throw error;
      }
      const seconds = Math.max(...part.map((at) => fail(at, error)));
      queue.sort((one, other) => one - other);
      if (seconds > 0 || isOff) return seconds;
      // No later request would succeed either.
      throw error;
    }
  }

  /** Returns the seconds to wait; 0 if the reference is not sent again. */
  function fail(at: number, failure: GatewayFailure) {
    const { code, message, retryable, retryAfterSeconds = WAIT_SECONDS.default } = failure;
    if (code === 'METADATA_OFF') {
      isOff = true;
      view.wait(at, false);
      return 0;
    }
    requests[at] = (requests[at] ?? 0) + 1;
    if (BUSY.includes(code) && (requests[at] ?? 0) < MAX_REQUESTS) {
      view.wait(at, true);
      queue.push(at);
      return Math.min(Math.max(retryAfterSeconds, 1), WAIT_SECONDS.max);
    }
    view.putWords(at, `The search failed: ${workFailureInWords(code, message)}`);
    if (retryable) failed.push(at);
    return 0;
  }
}
