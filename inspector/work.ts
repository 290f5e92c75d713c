// The work of a name. The page requests it in parallel with the directory's data. If metadata is off, the page says so.

import type { DescribedWork, Doi } from './answers.ts';
import { createCitations } from './citations-view.ts';
import { createCitedWorks } from './cited-works.ts';
import { button, el, show } from './dom.ts';
import { errorAt, failureOf, GatewayFailure, sendOperation } from './gateway.ts';
import { say } from './say.ts';
import { spelledOut } from './text.ts';
import { createTurn } from './turn.ts';
import { spokenOutcome } from './updates-view.ts';
import { workFailureInWords } from './words.ts';
import { workView } from './work-view.ts';

export const TITLES_OFF = 'Titles are turned off on this gateway.';

/** The reason why the updates of a work are unknown, in a few words. @param code of the error */
export const unknownUpdates = (code: string | undefined) =>
  code === 'METADATA_OFF' ? 'not looked up by this gateway' : 'not known now';

/** the directory's data about the name */
interface Registration {
  readonly isRegistered: boolean;
  readonly isEmbedded: boolean;
}

export function createWork(holder: Element, citationHolder: Element) {
  const turn = createTurn();
  let citations: ReturnType<typeof createCitations> | null = null;
  let citedWorks: ReturnType<typeof createCitedWorks> | null = null;
  /** Whether metadata is off in the gateway. Once true, it stays true until the page is closed. */
  let isOff = false;
  let current: Doi | null = null;
  let answer: DescribedWork | 'nothing' | 'failed' | null = null;
  /** null until the directory has responded */
  let registration: Registration | null = null;

  return { wait, request, end, retry, putRegistration };

  /** Removes the work of another name. */
  function wait() {
    end();
    current = null;
    answer = null;
    show(citationHolder);
    if (isOff) putOff();
    else show(holder, el('p', { class: 'work waiting' }, 'looking up what it is …'));
  }

  function request(doi: Doi) {
    wait();
    current = doi;
    registration = null;
    void run(doi);
  }

  function end() {
    turn.end();
    citations?.end();
    citedWorks?.end();
  }

  /** Repeats a request that failed. */
  function retry() {
    if (!current || answer !== 'failed') return;
    const doi = current;
    wait();
    current = doi;
    void run(doi);
  }

  /**
   * Shows nothing about the work of a name that does not exist.
   * @returns the sentence about the work for screen readers; empty while the work is unknown
   */
  function putRegistration(received: Registration): string {
    registration = received;
    if (answer === 'nothing') putNothing();
    return isWork(answer) ? sentenceOf(answer) : '';
  }

  async function run(doi: Doi) {
    if (isOff) return;
    const signal = turn.begin();
    try {
      const { data, errors } = await sendOperation('InspectWork', { input: doi.id }, signal);
      const error = errorAt(errors, 'metadata');
      if (error || !data.doi) throw failureOf(error ?? errors[0]);
      put(doi, data.doi, errorAt(errors, 'updates')?.extensions?.code);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      putFailure(error);
    }
  }

  /** @param code why there are no updates */
  function put(doi: Doi, described: DescribedWork, code: string | undefined) {
    const { metadata: work } = described;
    answer = work ? described : 'nothing';
    if (!work) return putNothing();
    citations = createCitations(doi);
    show(holder, workView(work, described, doi.name, unknownUpdates(code)));
    citedWorks = createCitedWorks(doi, work.referenceCount);
    show(citationHolder, citations.element, citedWorks.element);
    if (registration) say(sentenceOf(described));
  }

  function putNothing() {
    const words = registration?.isEmbedded
      ? 'No title of it is held in memory.'
      : 'Its agency gives no title.';
    show(holder, registration?.isRegistered && el('p', { class: 'work missing' }, words));
  }

  function putOff() {
    show(holder, el('p', { class: 'work missing' }, TITLES_OFF));
  }

  function putFailure({ message, code, retryable }: GatewayFailure) {
    if (code === 'METADATA_OFF') {
      isOff = true;
      return putOff();
    }
    answer = 'failed';
    const sentence = `Title and people are not known now: ${workFailureInWords(code, message)}`;
    const again = button('Try again', retry, { class: 'quiet' });
    show(holder, el('p', { class: 'work missing' }, el('bdi', {}, sentence), ' ', retryable && again));
  }
}

function isWork(answer: DescribedWork | 'nothing' | 'failed' | null): answer is DescribedWork {
  return typeof answer === 'object' && answer !== null;
}

function sentenceOf({ metadata, updates }: DescribedWork) {
  if (!metadata) return '';
  const { title, creators, issued } = metadata;
  const names = creators.slice(0, 1).map(({ name }) => name);
  const others = creators.length > 1 ? ` and ${creators.length - 1} more` : '';
  const parts = [title?.slice(0, 200), `${names.join('')}${others}`, issued && String(issued.year)];
  return `${spokenOutcome(updates)}${parts
    .filter(Boolean)
    .map((part) => spelledOut(String(part)))
    .join(', ')}.`;
}
