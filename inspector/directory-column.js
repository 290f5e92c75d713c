// @ts-check
// What the directory said of one name: its sections, what failed of them, and the redirection for another reader.

import { agencyView } from './agency-view.js';
import { aliasView } from './alias-view.js';
import { el, show } from './dom.js';
import { failureView } from './failure-view.js';
import { ask, errorAt, GatewayFailure, graphiqlAddress } from './gateway.js';
import { glanceFailed, glanceView } from './glance-view.js';
import { locationsView } from './locations-view.js';
import { columnHead } from './plate.js';
import { DIRECTORY, REDIRECT } from './queries.js';
import { createReaderForm } from './reader-form.js';
import { recordView } from './record-view.js';
import { decisionView, redirectView } from './redirect-view.js';
import { createTurn, pause } from './turn.js';

/** @import { AnswerError, Doi, DirectoryDoi, RedirectAnswer } from './answers.js' */

const TITLE = 'In the directory';

/**
 * @param {Element} column
 * @param {Element} glance
 * @param {() => void} again asks the directory once more
 */
export function createDirectoryColumn(column, glance, again) {
  const turn = createTurn();
  const decision = el('div', { 'aria-live': 'off' });
  const locations = el('div', {});
  const reader = createReaderForm(() => void redirectAnew(300));
  /** @type {{ doi: DirectoryDoi, errors: readonly AnswerError[] } | null} */
  let current = null;

  return {
    parameters: () => reader.reader(),
    /** @param {Doi} doi */
    wait(doi) {
      turn.end();
      column.setAttribute('aria-busy', 'true');
      show(
        column,
        head(doi.id),
        el('div', { class: 'plate skeleton' }, el('p', {}, 'Asking the directory …')),
      );
    },
    /** @param {Doi} asked @param {DirectoryDoi} doi @param {readonly AnswerError[]} errors */
    put(asked, doi, errors) {
      turn.end();
      current = { doi, errors };
      column.setAttribute('aria-busy', 'false');
      const failure = errors.find(isFailure);
      show(
        column,
        head(doi.id),
        failure && failureView({ title: 'The directory did not answer', ...told(failure) }, again),
        ...sections(asked.name),
      );
      putRedirect();
    },
    /** @param {Doi} asked @param {GatewayFailure} failure */
    fail(asked, { message, code }) {
      turn.end();
      current = null;
      column.setAttribute('aria-busy', 'false');
      show(
        column,
        head(asked.id),
        failureView({ title: 'No answer about the directory', message, code }, again),
      );
      show(glance, glanceFailed());
    },
  };

  /** @param {string} id */
  function head(id) {
    return columnHead(TITLE, graphiqlAddress(DIRECTORY, { input: id, parameters: reader.reader() }));
  }

  /** What failed with the directory is told once, on top. @param {string} name */
  function sections(name) {
    if (!current) return [];
    const { doi, errors } = current;
    const at = (/** @type {string} */ field) => errorAt(errors, field);
    const failed = (/** @type {string} */ field) => isFailure(at(field));
    return [
      !failed('redirect') && redirectView(decision, reader.element),
      !failed('locations') && locations,
      !failed('alias') &&
        aliasView(name, doi.alias, doi.redirect, { alias: at('alias'), redirect: at('redirect') }),
      !failed('registrationAgency') &&
        !failed('whichRa') &&
        agencyView(doi.registrationAgency, doi.whichRa, at('registrationAgency') ?? at('whichRa')),
      !failed('record') && recordView(doi.record, at('record')),
    ];
  }

  function putRedirect() {
    if (!current) return;
    const { doi, errors } = current;
    show(
      decision,
      decisionView(doi.redirect, errorAt(errors, 'redirect'), () => void redirectAnew(0)),
    );
    show(locations, locationsView(doi.locations, errorAt(errors, 'locations'), doi.redirect));
    show(glance, glanceView(doi));
  }

  /** @param {number} patience in milliseconds */
  async function redirectAnew(patience) {
    const signal = turn.begin();
    const byButton = decision.contains(document.activeElement);
    try {
      await pause(patience, signal);
      if (!current) return;
      const variables = { input: current.doi.id, parameters: reader.reader() };
      /** @type {{ data: RedirectAnswer, errors: readonly AnswerError[] }} */
      const { data, errors } = await ask(REDIRECT, variables, signal);
      const others = current.errors.filter(({ path }) => path?.[1] !== 'redirect');
      current = {
        doi: { ...current.doi, redirect: data.doi?.redirect ?? null },
        errors: [...others, ...errors],
      };
      putRedirect();
      // The button that was pressed is gone with the answer of before.
      if (byButton) decision.querySelector('button')?.focus();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      const { message, code } = error;
      show(
        decision,
        failureView({ title: 'No answer', message, code }, () => void redirectAnew(0)),
      );
    }
  }
}

/** Of the directory or the gateway, not of the name. @param {AnswerError | null} error */
function isFailure(error) {
  const code = error?.extensions?.code ?? '';
  return error !== null && code !== 'ALIAS_LOOP' && code !== 'INVALID_DOI' && code !== 'BAD_USER_INPUT';
}

/** @param {AnswerError} error */
function told({ message, extensions }) {
  return {
    message,
    code: extensions?.code ?? 'INTERNAL_SERVER_ERROR',
    retryAfterSeconds: extensions?.retryAfterSeconds,
  };
}
