// The directory's answer for one name: its sections, their failures, and the redirection for another reader.

import { agencyView } from './agency-view.ts';
import { aliasView } from './alias-view.ts';
import type { AnswerError, DirectoryDoi, Named, Parameters } from './answers.ts';
import { el, show } from './dom.ts';
import { failureView, missing } from './failure-view.ts';
import { errorAt, failureOf, GatewayFailure, graphiqlAddress, lookUpsOf, sendOperation } from './gateway.ts';
import { glanceFailed, glanceView } from './glance-view.ts';
import { locationsView } from './locations-view.ts';
import { columnHead } from './plate.ts';
import { createReaderForm } from './reader-form.ts';
import { recordView } from './record-view.ts';
import { decisionView, redirectView } from './redirect-view.ts';
import { createStillWaiting, STILL_WAITING } from './still-waiting.ts';
import { createTurn, pause } from './turn.ts';

const TITLE = 'In the directory';

/** @param again repeats the look-ups */
export function createDirectoryColumn(column: Element, glance: Element, again: () => void) {
  const turn = createTurn();
  const stillAsking = createStillWaiting();
  const decision = el('div', { 'aria-live': 'off' });
  const locations = el('div', {});
  const reader = createReaderForm(() => void repeatRedirect(300));
  let current: { doi: DirectoryDoi; errors: readonly AnswerError[] } | null = null;
  /** Whether the directory is a file of records in memory. Names outside this file can still be registered. */
  let isEmbedded = false;

  return {
    parameters: () => reader.reader(),
    /** @param parameters of a pasted link */
    prepare(parameters: Parameters, isEmbeddedNow: boolean) {
      reader.seedFrom(parameters);
      isEmbedded = isEmbeddedNow;
    },
    wait(doi: Named) {
      turn.end();
      column.setAttribute('aria-busy', 'true');
      const words = el('p', {}, 'Asking the directory …');
      show(column, head(doi.id), el('div', { class: 'plate skeleton' }, words));
      stillAsking.begin(() => show(words, STILL_WAITING));
    },
    end: () => stillAsking.end(),
    put(named: Named, doi: DirectoryDoi, errors: readonly AnswerError[]) {
      turn.end();
      stillAsking.end();
      current = { doi, errors };
      column.setAttribute('aria-busy', 'false');
      const failure = errors.find(isFailure);
      show(
        column,
        head(doi.id),
        failure && failureView({ title: 'The directory did not respond', ...wordsOf(failure) }, again),
        ...sections(named.name),
      );
      putRedirect();
    },
    fail(named: Named, { message, code, retryable }: GatewayFailure) {
      turn.end();
      stillAsking.end();
      current = null;
      column.setAttribute('aria-busy', 'false');
      show(
        column,
        head(named.id),
        failureView({ title: failureTitle(code), message, code, retryable }, again),
      );
      show(glance, glanceFailed(named.id, retryable));
    },
  };

  function head(id: string) {
    return columnHead(
      TITLE,
      graphiqlAddress(lookUpsOf(id).directory, { input: id, parameters: reader.reader() }),
    );
  }

  /** A failure of the directory is shown once, at the top. */
  function sections(name: string) {
    if (!current) return [];
    const { doi, errors } = current;
    const at = (field: string) => errorAt(errors, field);
    const failed = (field: string) => isFailure(at(field));
    return [
      !failed('redirect') && redirectView(reader.notes, decision, reader.element),
      // The section about the target already shows this failure.
      !failed('locations') && !isLoop(at('locations')) && locations,
      !failed('alias') &&
        aliasView(name, doi.alias, doi.redirect, { alias: at('alias'), redirect: at('redirect') }),
      doi.whichRa !== undefined &&
        !failed('registrationAgency') &&
        !failed('whichRa') &&
        agencyView(
          doi.registrationAgency ?? null,
          doi.whichRa,
          at('registrationAgency') ?? at('whichRa'),
          isEmbedded,
        ),
      !failed('record') && recordView(doi.record, at('record'), isEmbedded),
    ];
  }

  function putRedirect() {
    if (!current) return;
    const { doi, errors } = current;
    const error = errorAt(errors, 'redirect');
    const unknownHere = isEmbedded && doi.record?.status === 'HANDLE_NOT_FOUND';
    show(
      decision,
      unknownHere
        ? missing('Not known here: the name is not in the embedded directory.')
        : decisionView(doi.redirect, error, () => void repeatRedirect(0)),
    );
    show(locations, locationsView(doi.locations, errorAt(errors, 'locations'), doi.redirect));
    show(glance, glanceView(doi, { isEmbedded, isLoop: isLoop(error), shows: reader.linkRequest().shows }));
  }

  async function repeatRedirect(delayMs: number) {
    const signal = turn.begin();
    const byButton = decision.contains(document.activeElement);
    try {
      await pause(delayMs, signal);
      if (!current) return;
      const variables = { input: current.doi.id, parameters: reader.reader() };
      const { data, errors } = await sendOperation(lookUpsOf(current.doi.id).redirect, variables, signal);
      if (!data.named) throw failureOf(errors[0]);
      const others = current.errors.filter(({ path }) => path?.[1] !== 'redirect');
      current = {
        doi: { ...current.doi, redirect: data.named.redirect },
        errors: [...others, ...errors],
      };
      putRedirect();
      // The pressed button is no longer on the page, so the focus must move.
      if (byButton) decision.querySelector('button')?.focus();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GatewayFailure)) throw error;
      const { message, code, retryable } = error;
      show(
        decision,
        failureView({ title: 'No answer', message, code, retryable }, () => void repeatRedirect(0)),
      );
    }
  }
}

/** Whether the directory or the gateway failed. An error that the name causes is no failure. */
function isFailure(error: AnswerError | null) {
  const code = error?.extensions?.code ?? '';
  return error !== null && !isLoop(error) && code !== 'INVALID_DOI' && code !== 'BAD_USER_INPUT';
}

function failureTitle(code: string) {
  if (code === 'UNAUTHENTICATED') return 'This gateway asks for a key';
  return code === 'LIMIT_EXCEEDED' ? 'Too much to ask of the directory' : 'No answer about the directory';
}

function isLoop(error: AnswerError | null) {
  return error?.extensions?.code === 'ALIAS_LOOP';
}

function wordsOf(error: AnswerError) {
  const { message, code, retryable } = failureOf(error);
  return { message, code, retryable, retryAfterSeconds: error.extensions?.retryAfterSeconds };
}
