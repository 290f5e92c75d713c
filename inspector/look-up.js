// @ts-check
// One input: shows computed fields at once, and the directory's answer when it arrives.

import { codePointsView } from './code-points-view.js';
import { createDirectoryColumn } from './directory-column.js';
import { byId, el, inputById, show, textAreaById } from './dom.js';
import { failureView } from './failure-view.js';
import { formsView } from './forms-view.js';
import { showFoundList } from './found-list.js';
import { ask, failureOf, GatewayFailure, graphiqlAddress } from './gateway.js';
import { glanceWaiting } from './glance-view.js';
import { deservesCloseLook } from './lookalikes.js';
import { nameView, noNameView, offerView, problemView } from './name-view.js';
import { offerFor } from './offer.js';
import { columnHead } from './plate.js';
import { DIRECTORY, FIND, NAME } from './queries.js';
import { forReaders } from './reader-words.js';
import { isRunningText } from './running-text.js';
import { say } from './say.js';
import { spelledOut } from './text.js';
import { createTurn, pause } from './turn.js';
import { count, statusInWords } from './words.js';
import { createWork } from './work.js';

/** @import { AnswerError, DirectoryAnswer, DirectoryDoi, Directory, Doi, Match, NameAnswer, NameProblem, TextAnswer } from './answers.js' */

/** Delays while the user types: before a request to the gateway, and before a look-up. */
const PATIENCE = { name: 150, directory: 450 };

export function createLookUp() {
  const turn = createTurn();
  const input = textAreaById('doi');
  const other = inputById('with');
  const verdict = byId('verdict');
  const result = byId('result');
  const computed = byId('computed');
  const glance = el('div', { class: 'glance-holder' });
  const workHolder = el('div', { class: 'work-holder' });
  const citationHolder = el('div', { class: 'citation-holder' });
  const work = createWork(workHolder, citationHolder);
  /** @type {Doi | null} */
  let shown = null;
  let isEmbedded = false;
  const directory = createDirectoryColumn(byId('directory'), glance, () => {
    work.retry();
    void run(turn.begin(), async (signal) => {
      await askDirectory(shown, signal);
      // The button that was pressed is gone.
      byId('directory').querySelector('h2')?.focus();
    });
  });

  return { lookUp };

  /** @param {string} text @param {boolean} typing whether more may follow */
  function lookUp(text, typing) {
    work.end();
    directory.end();
    void run(turn.begin(), async (signal) => {
      const isCompared = other.value.trim() !== '';
      const isAsked = text.trim() !== '' || isCompared;
      byId('welcome').hidden = isAsked;
      // The field stays in place while the user types another name.
      if (isAsked || !typing) document.body.classList.toggle('asked', isAsked);
      if (text.trim() === '') {
        clear();
        byId('compare').hidden = !isCompared;
        return;
      }
      if (typing) await pause(PATIENCE.name, signal);
      if (isRunningText(text)) {
        if (typing) await pause(PATIENCE.directory, signal);
        return findIn(text, signal);
      }
      const { doi, problem, meant } = await askName(text, signal);
      if (problem && meant.length < 2) await putProblem(text, problem, meant, signal);
      if (typing) await pause(PATIENCE.directory, signal);
      if (doi) {
        const told = askDirectory(doi, signal);
        work.askFor(doi);
        return told;
      }
      if (meant.length > 1) return showFoundList(verdict, text, meant, isEmbedded, signal);
    });
  }

  /** Reads the input again, as a text. @param {string} text */
  function listAll(text) {
    void run(turn.begin(), async (signal) => {
      await findIn(text, signal);
      verdict.querySelector('h2')?.focus();
    });
  }

  /** @param {AbortSignal} signal @param {(signal: AbortSignal) => Promise<void>} work */
  async function run(signal, work) {
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  function clear() {
    shown = null;
    show(verdict);
    input.removeAttribute('aria-invalid');
    input.setAttribute('aria-describedby', 'ask-hint');
    result.hidden = true;
    byId('skip').hidden = true;
    byId('compare').hidden = true;
  }

  /**
   * Null, and the failure on the page, where there is no answer.
   * @template Answer
   * @param {string} text
   * @param {() => Promise<{ data: Answer }>} asking
   */
  async function answerTo(text, asking) {
    try {
      return (await asking()).data;
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

  /** @param {Directory} told */
  function putSource({ kind, description }) {
    byId('source').textContent = description;
    isEmbedded = kind === 'EMBEDDED';
  }

  /** A text of several lines is no name: what stands in it is a list. @param {string} text @param {AbortSignal} signal */
  async function findIn(text, signal) {
    /** @type {TextAnswer | null} */
    const answer = await answerTo(text, () => ask(FIND, { text }, signal));
    if (!answer) return;
    putSource(answer.doiDirectory);
    clear();
    if (answer.findDois.length > 0) {
      return showFoundList(verdict, text, answer.findDois, isEmbedded, signal);
    }
    show(verdict, noNameView());
    refuse();
    say('There is no DOI name in this text.');
  }

  function refuse() {
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', 'ask-hint problem-title');
  }

  /** @param {string} text @param {AbortSignal} signal @returns {Promise<{ doi: Doi | null, problem: NameProblem | null, meant: readonly Match[] }>} */
  async function askName(text, signal) {
    const variables = { input: text, closely: deservesCloseLook(text) };
    /** @type {NameAnswer | null} */
    const answer = await answerTo(text, () => ask(NAME, variables, signal));
    if (!answer) return { doi: null, problem: null, meant: [] };
    putSource(answer.doiDirectory);
    const { doi, problem, meant } = answer.parseDoi;
    clear();
    if (!doi) return { doi: null, problem, meant };
    shown = doi;
    show(glance, glanceWaiting());
    work.wait();
    show(
      verdict,
      nameView(answer.parseDoi, doi, [workHolder, glance, citationHolder], () => listAll(text)),
    );
    show(
      computed,
      columnHead('The name by itself', graphiqlAddress(NAME, { input: text })),
      formsView(doi.encodings),
      codePointsView(doi),
    );
    directory.prepare(answer.parseDoi.proxyParameters, isEmbedded);
    directory.wait(doi);
    result.hidden = false;
    byId('skip').hidden = false;
    byId('compare').hidden = false;
    return { doi, problem: null, meant: [] };
  }

  /** @param {string} text @param {NameProblem} problem @param {readonly Match[]} meant @param {AbortSignal} signal */
  async function putProblem(text, problem, meant, signal) {
    byId('compare').hidden = false;
    const offer = await offerFor(text, problem, meant, signal);
    show(verdict, offer ? offerView(text, problem, offer) : problemView(text, problem));
    refuse();
    const sentence = `This is no DOI name. ${forReaders(problem.message)}`;
    say(offer ? `${offer.words} ${shortened(offer.doi.name)}${offer.end} ${sentence}` : sentence);
  }

  /** @param {Doi | null} asked @param {AbortSignal} signal */
  async function askDirectory(asked, signal) {
    if (!asked) return;
    directory.wait(asked);
    show(glance, glanceWaiting());
    try {
      const variables = { input: asked.id, parameters: directory.parameters() };
      /** @type {{ data: DirectoryAnswer, errors: readonly AnswerError[] }} */
      const { data, errors } = await ask(DIRECTORY, variables, signal);
      if (!data.doi) throw failureOf(errors[0]);
      directory.put(asked, data.doi, errors);
      const what = work.tellOfDirectory({ isRegistered: isRegistered(data.doi), isEmbedded });
      say(`${summary(asked, data.doi, errors, isEmbedded)} ${what}`.trimEnd());
    } catch (error) {
      if (!(error instanceof GatewayFailure)) throw error;
      directory.fail(asked, error);
      say(error.message);
    }
  }
}

/** @param {string} code */
function failureTitle(code) {
  if (code === 'UNREACHABLE') return 'No answer from the gateway';
  return code === 'UNAUTHENTICATED' ? 'This gateway asks for a key' : 'The gateway cannot take this';
}

/** @param {DirectoryDoi} doi */
function isRegistered({ record }) {
  return record?.status === 'SUCCESS' || record?.status === 'VALUES_NOT_FOUND';
}

/** @param {Doi} asked @param {DirectoryDoi} doi @param {readonly AnswerError[]} errors @param {boolean} isEmbedded */
function summary({ name: whole }, { record, registrationAgency, suggestions }, errors, isEmbedded) {
  const name = shortened(whole);
  if (!record) return `${name}. ${errors[0]?.message ?? ''}`;
  const agency = registrationAgency ? ` by ${registrationAgency.title ?? registrationAgency.name}` : '';
  const hint = suggestions && suggestions.length > 0 ? ` ${count(suggestions.length, 'suggestion')}.` : '';
  return `${name}. ${statusInWords(record.status, isEmbedded)}${agency}.${hint}`;
}

/** So much of a name as anybody listens to. @param {string} name */
function shortened(name) {
  const characters = Array.from(name.slice(0, 200));
  return spelledOut(characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : name);
}
