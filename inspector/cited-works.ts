// What a work cites. The page requests the list when the reader opens it, and then the cited works, part by part.

import type { NamedDoi } from './answers.ts';
import { type CitedRow, type CitedWorksView, citedWorksView } from './cited-works-view.ts';
import { button, el, show } from './dom.ts';
import { folded } from './folded.ts';
import { errorAt, failureOf, GatewayFailure, required, sendOperation } from './gateway.ts';
import { say } from './say.ts';
import { createTurn } from './turn.ts';
import { count, workFailureInWords } from './words.ts';

/** The number of references that the page shows and looks up at first. The reader can request this many more. */
const PAGE = 100;
/** The number of works in one request. An agency's list request has as many. */
const AT_ONCE = 50;

/** @param referenceCount null if the agency does not give it */
export function createCitedWorks({ id }: NamedDoi, referenceCount: number | null) {
  const turn = createTurn();
  const element = folded(
    referenceCount ? `Cites ${count(referenceCount, 'work')}` : 'Cites',
    (holder) => void load(holder),
  );
  return { element, end: turn.end };

  async function load(holder: HTMLElement) {
    const signal = turn.begin();
    show(holder, el('p', { class: 'waiting' }, 'looking up what it cites …'));
    try {
      const { data, errors } = await sendOperation('InspectReferences', { input: id }, signal);
      const error = errorAt(errors, 'references');
      if (error || !data.doi) throw failureOf(error ?? errors[0]);
      const { references } = data.doi;
      if (references === null) return putNothing(holder, 'Its agency gives no list.');
      if (references.length === 0) return putNothing(holder, 'The list of its agency is empty.');
      const failed = new Set<CitedRow>();
      const view = citedWorksView(references, PAGE, (rows) => void lookUp(view, rows, failed, signal));
      show(holder, view.element);
      view.next();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      putFailure(holder, error);
    }
  }

  function putNothing(holder: HTMLElement, sentence: string) {
    show(holder, el('p', { class: 'missing' }, sentence));
    say(sentence);
  }

  function putFailure(holder: HTMLElement, { message, code, retryable }: GatewayFailure) {
    const sentence = `What it cites is not known now: ${workFailureInWords(code, message)}`;
    const again = () => {
      // The pressed button is no longer on the page, so the focus must move.
      element.querySelector('summary')?.focus();
      void load(holder);
    };
    show(holder, el('p', { class: 'missing' }, el('bdi', {}, sentence), ' ', retryable && tryAgain(again)));
    say(sentence);
  }
}

const tryAgain = (again: () => void) => button('Try again', again, { class: 'quiet' });

/** @param failed all rows of the view that a later request can fill */
async function lookUp(
  view: CitedWorksView,
  rows: readonly CitedRow[],
  failed: Set<CitedRow>,
  signal: AbortSignal,
) {
  const named = rows.filter(({ doi }) => doi !== null);
  for (const row of named) row.wait();
  for (let from = 0; from < named.length; from += AT_ONCE) {
    const part = named.slice(from, from + AT_ONCE);
    try {
      for (const row of await lookUpPart(part, signal)) failed.add(row);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      const { code, message, retryable } = error;
      for (const row of part) {
        row.put(null, unknownInWords('Title and retractions', code, message));
        if (retryable) failed.add(row);
      }
    }
  }
  if (failed.size > 0) {
    const sentence = `${count(failed.size, 'cited work')} could not be looked up.`;
    const again = () => {
      const repeated = [...failed];
      failed.clear();
      view.putFailure(null);
      view.focus();
      void lookUp(view, repeated, failed, signal);
    };
    view.putFailure(el('p', { class: 'missing' }, sentence, ' ', tryAgain(again)));
  }
  say(view.summary());
}

/** Returns the rows that a later request can fill. */
async function lookUpPart(rows: readonly CitedRow[], signal: AbortSignal) {
  const inputs = rows.map(({ doi }) => doi?.id ?? '');
  const { data, errors } = await sendOperation('InspectListTitles', { inputs }, signal);
  const works = required(data.dois, errors);
  return rows.filter((row, place) => {
    const error = errors.find(({ path }) => path?.[1] === place);
    const code = error?.extensions?.code ?? '';
    const work = works[place] ?? null;
    const what = work?.metadata ? 'Retractions' : 'Title and retractions';
    row.put(work, error ? unknownInWords(what, code, error.message) : '');
    return error?.extensions?.retryable === true;
  });
}

function unknownInWords(what: string, code: string, message: string) {
  return code === 'METADATA_OFF'
    ? `${what} are not looked up by this gateway.`
    : `${what} are not known now: ${workFailureInWords(code, message)}`;
}
