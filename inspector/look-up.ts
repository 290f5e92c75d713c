// One input: shows computed fields at once, and the directory's answer when it arrives.

import type { Directory, Named, ParsedDoi, ReadAtOnce } from './answers.ts';
import { codePointsView } from './code-points-view.ts';
import { createDirectoryColumn } from './directory-column.ts';
import { byId, el, inputById, show } from './dom.ts';
import { failureTitle, failureView } from './failure-view.ts';
import { formsView } from './forms-view.ts';
import { showFoundList } from './found-list.ts';
import { failureOf, GatewayFailure, graphiqlAddress, lookUpsOf, required, sendOperation } from './gateway.ts';
import { glanceWaiting } from './glance-view.ts';
import { deservesCloseLook } from './lookalikes.ts';
import { handleView, nameView, noNameView } from './name-view.ts';
import { shouldBeHandle } from './other-identifier.ts';
import { columnHead } from './plate.ts';
import { explainProblem, markField } from './problem.ts';
import { readNow } from './reading.ts';
import { canBeReference, offerSearch } from './references-without.ts';
import { isRunningText } from './running-text.ts';
import { say } from './say.ts';
import { isRegistered, summary } from './spoken.ts';
import { createTurn, pause, unlessAborted } from './turn.ts';
import { createWork } from './work.ts';

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
  let shown: Named | null = null;
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

  /** @param typing whether the reader is still typing */
  function lookUp(text: string, typing: boolean) {
    work.end();
    directory.end();
    void unlessAborted(turn.begin(), async (signal) => {
      const hasOther = other.value.trim() !== '';
      const hasInput = text.trim() !== '' || hasOther;
      byId('welcome').hidden = hasInput;
      // The field stays in place while the user types another name.
      if (hasInput || !typing) document.body.classList.toggle('looked-up', hasInput);
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

  /** Lists all DOI names in the input. */
  function listAll(text: string) {
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

  /** If the request fails, shows the failure on the page and resolves to null. */
  async function answerTo<Answer>(text: string, request: () => Promise<Answer>) {
    try {
      return await request();
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

  function putSource(source: Directory | null) {
    if (!source) return;
    byId('source').textContent = source.description;
    isEmbedded = source.kind === 'EMBEDDED';
  }

  /** Lists the DOI names in a text of several lines. */
  async function findIn(text: string, signal: AbortSignal) {
    const matches = await answerTo(text, async () => {
      const { data, errors } = await sendOperation('InspectText', { text }, signal);
      putSource(data.doiDirectory);
      return required(data.findDois, errors);
    });
    if (!matches) return;
    clear();
    if (matches.some((match) => match !== null))
      return showFoundList(verdict, text, matches, isEmbedded, signal);
    show(verdict, noNameView());
    markField(true);
    return offerSearch(verdict, text, [], signal);
  }

  async function requestName(text: string, signal: AbortSignal): Promise<ParsedDoi | null> {
    const variables = { input: text, closely: deservesCloseLook(text) };
    const parsed = await answerTo(text, async () => {
      const { data, errors } = await sendOperation('InspectName', variables, signal);
      putSource(data.doiDirectory);
      return required(data.parseDoi, errors);
    });
    if (!parsed) return null;
    clear();
    const { doi } = parsed;
    if (!doi) return parsed;
    const view = nameView(parsed, doi, holders, () => listAll(text));
    const head = columnHead('The name alone', graphiqlAddress('InspectName', { input: text }));
    putName(doi, view, parsed, [head, formsView(doi.encodings), codePointsView(doi)]);
    return parsed;
  }

  /** Null if the input is not a handle. */
  async function requestHandle(text: string, parsed: ParsedDoi, signal: AbortSignal) {
    const variables = { input: text.trim() };
    const answer = await answerTo(text, () => sendOperation('InspectHandle', variables, signal));
    const handle = answer?.data.handle;
    if (!handle) return null;
    const head = columnHead('The handle alone', graphiqlAddress('InspectHandle', variables));
    putName(handle, handleView(handle, parsed, [glance]), parsed, [head, codePointsView(handle)]);
    return handle;
  }

  /** Shows the computed fields of a name, before the directory responds. */
  function putName(named: Named, view: Node, { proxyParameters }: ParsedDoi, column: readonly Node[]) {
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

  /** Shows the name in the layout of the response, so that the page does not move later. */
  function putNameAtOnce(text: string, read: ReadAtOnce) {
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

  /** Shows a problem. Resolves to the sentence for screen readers. */
  async function putProblem(...problemAndInput: Parameters<typeof explainProblem>) {
    byId('compare').hidden = false;
    const { plate, words } = await explainProblem(...problemAndInput);
    show(verdict, plate);
    markField(true);
    return words;
  }

  async function requestDirectory(named: Named | null, signal: AbortSignal) {
    if (!named) return;
    directory.wait(named);
    show(glance, glanceWaiting(named.id));
    try {
      const variables = { input: named.id, parameters: directory.parameters() };
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
