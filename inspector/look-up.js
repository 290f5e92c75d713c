// @ts-check
// One input: shows computed fields at once, and the directory's answer when it arrives.

import { codePointsView } from './code-points-view.js';
import { createDirectoryColumn } from './directory-column.js';
import { byId, el, inputById, show } from './dom.js';
import { failureTitle, failureView } from './failure-view.js';
import { formsView } from './forms-view.js';
import { showFoundList } from './found-list.js';
import { failureOf, GatewayFailure, graphiqlAddress, sendOperation } from './gateway.js';
import { glanceWaiting } from './glance-view.js';
import { deservesCloseLook } from './lookalikes.js';
import { handleView, nameView, noNameView } from './name-view.js';
import { shouldBeHandle } from './other-identifier.js';
import { columnHead } from './plate.js';
import { explainProblem, markField } from './problem.js';
import { FIND, HANDLE, lookUpsOf, NAME } from './queries.js';
import { readNow } from './reading.js';
import { canBeReference, offerSearch } from './references-without.js';
import { isRunningText } from './running-text.js';
import { say } from './say.js';
import { isRegistered, summary } from './spoken.js';
import { createTurn, pause, unlessAborted } from './turn.js';
import { createWork } from './work.js';

/** @import { AnswerError, DirectoryAnswer, Directory, HandleAnswer, NameAnswer, Named, ParsedDoi, ReadAtOnce, TextAnswer } from './answers.js' */

/** Delays while the user types: before a request to the gateway, and before a look-up. */
const DELAYS_MS = { name: 150, directory: 450 };

export function createLookUp() {
  const turn = createTurn();
  const other = inputById('with');
  const verdict = byId('verdict');
  const result = byId('result');
  const computed = byId('computed');
  const glance = el('div', { class: 'glance-holder' });
  const workHolder = el('div', { class: 'work-holder' });
  const citationHolder = el('div', { class: 'citation-holder' });
  const work = createWork(workHolder, citationHolder);
  const holders = [workHolder, glance, citationHolder];
  /** @type {Named | null} */
  let shown = null;
  let isEmbedded = false;
  const directory = createDirectoryColumn(byId('directory'), glance, () => {
    work.retry();
    void unlessAborted(turn.begin(), async (signal) => {
      await requestDirectory(shown, signal);
      // The pressed button is no longer on the page, so the focus must move.
      byId('directory').querySelector('h2')?.focus();
    });
  });

  return { lookUp };

  /** @param {string} text @param {boolean} typing whether the reader is still typing */
  function lookUp(text, typing) {
    work.end();
    directory.end();
    void unlessAborted(turn.begin(), async (signal) => {
      const hasOther = other.value.trim() !== '';
      const hasInput = text.trim() !== '' || hasOther;
      byId('welcome').hidden = hasInput;
      // The field stays in place while the user types another name.
      if (hasInput || !typing) document.body.classList.toggle('asked', hasInput);
      if (text.trim() === '') {
        clear();
        byId('compare').hidden = !hasOther;
        return;
      }
      const read = typing ? readNow(text) : null;
      if (read?.doi) putNameAtOnce(text, read);
      if (typing) await pause(DELAYS_MS.name, signal);
      if (read?.problem && !shouldBeHandle(read) && read.meant.length < 2) {
        clear();
        await putProblem(text, read.problem, read.meant, signal);
      }
      if (isRunningText(text)) {
        if (typing) await pause(DELAYS_MS.directory, signal);
        return findIn(text, signal);
      }
      const parsed = await requestName(text, signal);
      if (!parsed) return;
      const { doi, problem, meant } = parsed;
      const handle = shouldBeHandle(parsed) ? await requestHandle(text, parsed, signal) : null;
      if (problem && !handle && meant.length < 2) say(await putProblem(text, problem, meant, signal));
      if (typing) await pause(DELAYS_MS.directory, signal);
      if (handle) return requestDirectory(handle, signal);
      if (doi) {
        const answer = requestDirectory(doi, signal);
        work.request(doi);
        return answer;
      }
      if (meant.length > 1) return showFoundList(verdict, text, meant, isEmbedded, signal);
      if (meant.length === 0 && problem && canBeReference(text, problem))
        return offerSearch(verdict, text, [], signal);
    });
  }

  /** Lists all DOI names in the input. @param {string} text */
  function listAll(text) {
    void unlessAborted(turn.begin(), async (signal) => {
      await findIn(text, signal);
      verdict.querySelector('h2')?.focus();
    });
  }

  function clear() {
    shown = null;
    show(verdict);
    markField(false);
    result.hidden = true;
    result.removeAttribute('aria-busy');
    byId('skip').hidden = true;
    byId('compare').hidden = true;
  }

  /**
   * If the request fails, shows the failure on the page and resolves to null.
   * @template Answer
   * @param {string} text
   * @param {() => Promise<{ data: Answer }>} request
   */
  async function answerTo(text, request) {
    try {
      return (await request()).data;
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error;
      clear();
      const { message, code, retryable } = error;
      const title = failureTitle(code);
      show(
        verdict,
        failureView({ title, message, code, retryable, heading: 'h2' }, () => lookUp(text, false)),
      );
      say(`${title}. ${message}`);
      return null;
    }
  }

  /** @param {Directory} answer */
  function putSource({ kind, description }) {
    byId('source').textContent = description;
    isEmbedded = kind === 'EMBEDDED';
  }

  /** Lists the DOI names in a text of several lines. @param {string} text @param {AbortSignal} signal */
  async function findIn(text, signal) {
    /** @type {TextAnswer | null} */
    const answer = await answerTo(text, () => sendOperation(FIND, { text }, signal));
    if (!answer) return;
    putSource(answer.doiDirectory);
    clear();
    if (answer.findDois.some((match) => match !== null))
      return showFoundList(verdict, text, answer.findDois, isEmbedded, signal);
    show(verdict, noNameView());
    markField(true);
    return offerSearch(verdict, text, [], signal);
  }

  /** @param {string} text @param {AbortSignal} signal @returns {Promise<ParsedDoi | null>} */
  async function requestName(text, signal) {
    const variables = { input: text, closely: deservesCloseLook(text) };
    /** @type {NameAnswer | null} */
    const answer = await answerTo(text, () => sendOperation(NAME, variables, signal));
    if (!answer) return null;
    const { parseDoi, doiDirectory } = answer;
    putSource(doiDirectory);
    clear();
    const { doi } = parseDoi;
    if (!doi) return parseDoi;
    const view = nameView(parseDoi, doi, holders, () => listAll(text));
    const head = columnHead('The name alone', graphiqlAddress(NAME, { input: text }));
    putName(doi, view, parseDoi, [head, formsView(doi.encodings), codePointsView(doi)]);
    return parseDoi;
  }

  /** Null if the input is not a handle. @param {string} text @param {ParsedDoi} parsed @param {AbortSignal} signal */
  async function requestHandle(text, parsed, signal) {
    const variables = { input: text.trim() };
    /** @type {HandleAnswer | null} */
    const answer = await answerTo(text, () => sendOperation(HANDLE, variables, signal));
    if (!answer?.handle) return null;
    const { handle } = answer;
    const head = columnHead('The handle alone', graphiqlAddress(HANDLE, variables));
    putName(handle, handleView(handle, parsed, [glance]), parsed, [head, codePointsView(handle)]);
    return handle;
  }

  /**
   * Shows the computed fields of a name, before the directory responds.
   * @param {Named} named
   * @param {Node} view
   * @param {ParsedDoi} parsed
   * @param {readonly Node[]} column
   */
  function putName(named, view, { proxyParameters }, column) {
    shown = named;
    work.wait();
    show(glance, glanceWaiting(named.id));
    show(verdict, view);
    show(computed, ...column);
    directory.prepare(proxyParameters, isEmbedded);
    directory.wait(named);
    result.hidden = false;
    byId('skip').hidden = false;
    byId('compare').hidden = false;
  }

  /** Shows the name in the layout of the response, so that the page does not move later. @param {string} text @param {ReadAtOnce} read */
  function putNameAtOnce(text, read) {
    if (!read.doi) return;
    work.wait();
    show(glance, glanceWaiting(read.doi.id));
    show(
      verdict,
      nameView(read, read.doi, holders, () => listAll(text)),
    );
    markField(false);
    // The page still shows the results of the earlier name.
    result.setAttribute('aria-busy', 'true');
  }

  /** Shows a problem. Resolves to the sentence for screen readers. @param {Parameters<typeof explainProblem>} problemAndInput */
  async function putProblem(...problemAndInput) {
    byId('compare').hidden = false;
    const { plate, words } = await explainProblem(...problemAndInput);
    show(verdict, plate);
    markField(true);
    return words;
  }

  /** @param {Named | null} named @param {AbortSignal} signal */
  async function requestDirectory(named, signal) {
    if (!named) return;
    directory.wait(named);
    show(glance, glanceWaiting(named.id));
    try {
      const variables = { input: named.id, parameters: directory.parameters() };
      /** @type {{ data: DirectoryAnswer, errors: readonly AnswerError[] }} */
      const { data, errors } = await sendOperation(lookUpsOf(named.id).directory, variables, signal);
      if (!data.named) throw failureOf(errors[0]);
      directory.put(named, data.named, errors);
      const what = work.putRegistration({ isRegistered: isRegistered(data.named), isEmbedded });
      say(`${summary(named, data.named, errors, isEmbedded)} ${what}`.trimEnd());
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error;
      directory.fail(named, error);
      say(error.message);
    }
  }
}
