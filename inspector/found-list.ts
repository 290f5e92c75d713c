// The DOI names in a text as a list. The page shows the list at once, and then adds the directory's responses part by part.

import type { Match } from './answers.ts';
import { el, show } from './dom.ts';
import { failureView } from './failure-view.ts';
import { foundListView, type Row } from './found-list-view.ts';
import { failureOf, GatewayFailure, required, sendOperation } from './gateway.ts';
import { offerSearch } from './references-without.ts';
import { say } from './say.ts';
import { createStillWaiting, STILL_WAITING } from './still-waiting.ts';
import { unlessAborted } from './turn.ts';
import { count } from './words.ts';
import { TITLES_OFF, unknownUpdates } from './work.ts';

/** The number of rows that the page shows and looks up at first. The reader can request this many more rows. */
const PAGE = 100;
/** The number of names in one request. */
const AT_ONCE = 25;

const TOO_MANY_NAMES =
  'The text has more DOI names than the gateway finds in one request. Look up the rest of the text on its own.';

/**
 * @param text the text that contains the names
 * @param found null at the end: the text has more names than one request may find
 * @param isEmbedded whether the directory is embedded
 * @param signal aborts all requests
 */
export function showFoundList(
  holder: Element,
  text: string,
  found: readonly (Match | null)[],
  isEmbedded: boolean,
  signal: AbortSignal,
) {
  const matches = found.filter((match) => match !== null);
  const isCut = matches.length < found.length;
  const view = foundListView(text, matches, isEmbedded, () => void fill(), bibtexOfAll);
  const stillAsking = createStillWaiting();
  /** The requests for titles run one after the other, in parallel with the look-ups. */
  let titles = Promise.resolve();
  let areTitlesOff = false;
  signal.addEventListener('abort', stillAsking.end);
  show(holder, view.element, isCut && el('p', {}, TOO_MANY_NAMES));
  const searched = isCut ? text.slice(0, matches.at(-1)?.end) : text;
  void unlessAborted(signal, () => offerSearch(holder, searched, matches, signal));
  void fill();

  async function fill() {
    try {
      const rows = view.nextRows(PAGE);
      for (let from = 0; from < rows.length; from += AT_ONCE) {
        const part = rows.slice(from, from + AT_ONCE);
        await fillRows(part);
        titles = titles.then(() => fillTitles(part));
      }
      if (rows.length > 0) say(summary());
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async function fillRows(rows: readonly Row[]) {
    const inputs = rows.map(({ match }) => match.doi.id);
    stillAsking.begin(() => view.putNote(STILL_WAITING));
    try {
      const { data, errors } = await sendOperation('InspectList', { inputs }, signal);
      const dois = required(data.dois, errors);
      rows.forEach((row, place) => {
        const error = errors.find(({ path }) => path?.[1] === place);
        row.put(dois[place] ?? null, error?.message ?? null);
      });
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error;
      for (const row of rows) row.put(null, error.message);
      const { message, code, retryable } = error;
      const again = () => void retry(rows);
      view.putFailure(failureView({ title: 'Some rows have no answer', message, code, retryable }, again));
    } finally {
      stillAsking.end();
      view.putNote(areTitlesOff ? TITLES_OFF : '');
    }
  }

  async function fillTitles(all: readonly Row[]) {
    const rows = all.filter((row) => !row.isAbsent());
    if (areTitlesOff || rows.length === 0) return;
    try {
      const inputs = rows.map(({ match }) => match.doi.id);
      const { data, errors } = await sendOperation('InspectListTitles', { inputs }, signal);
      areTitlesOff = errors.some(
        ({ path, extensions }) => path?.[2] === 'metadata' && extensions?.code === 'METADATA_OFF',
      );
      if (areTitlesOff) return view.putNote(TITLES_OFF);
      const works = required(data.dois, errors);
      rows.forEach((row, place) => {
        const work = works[place] ?? null;
        const failed = errors.filter(({ path }) => path?.[1] === place);
        const words = failed.some(({ path }) => path?.[2] === 'metadata') ? 'not known now' : 'no title';
        const code = work?.metadata && failed.find(({ path }) => path?.[2] === 'updates')?.extensions?.code;
        row.putWork(work, words, code ? unknownUpdates(code) : '');
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      for (const row of rows) row.putWork(null, 'not known now', '');
    }
  }

  /** One entry for each name. Without any entry, shows the reason, and resolves to null. */
  async function bibtexOfAll(): Promise<string | null> {
    const ids = [...new Map(matches.map(({ doi }) => [doi.canonicalName, doi.id])).values()];
    const entries: string[] = [];
    let failed = 0;
    try {
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const inputs = ids.slice(from, from + AT_ONCE);
        say(`${from} of ${count(ids.length, 'entry', 'entries')} …`);
        const { data, errors } = await sendOperation('InspectListBibtex', { inputs }, signal);
        if (errors.length === inputs.length && entries.length === 0) throw failureOf(errors[0]);
        failed += errors.length;
        for (const doi of required(data.dois, errors)) if (doi?.bibtex) entries.push(doi.bibtex.trimEnd());
      }
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof GatewayFailure)) throw error;
      return noBibtex(`There is no BibTeX now: ${error.message}`);
    }
    if (entries.length === 0 && failed === 0) return noBibtex('The agencies describe none of these names.');
    const without = ids.length - entries.length - failed;
    const words = [
      without > 0 && `${count(without, 'name')} without metadata`,
      failed > 0 && `${count(failed, 'name')} whose entry is not known now`,
    ].filter(Boolean);
    view.putNote(words.length > 0 ? `The file leaves out ${words.join(' and ')}.` : '');
    return `${entries.join('\n\n')}\n`;
  }

  function noBibtex(sentence: string) {
    view.putNote(sentence);
    say(sentence);
    return null;
  }

  async function retry(rows: readonly Row[]) {
    view.putFailure(null);
    try {
      await fillRows(rows);
      titles = titles.then(() => fillTitles(rows));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  function summary() {
    const { lookedUp, registered } = view.counts();
    const names = count(matches.length, 'DOI name');
    return `${names} in this text. ${registered} of ${lookedUp} are in the directory.`;
  }
}
