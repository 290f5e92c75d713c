// Shows a failure in words, with a button to try again if a retry can help, or with a field for an API key.

import { keyForm } from './api-key.ts';
import { button, el } from './dom.ts';
import { duration } from './words.ts';

interface Failure {
  readonly title: string;
  readonly message: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number | undefined;
  readonly heading?: 'h2' | 'h3';
}

export function failureView(
  { title, message, code, retryable, retryAfterSeconds, heading = 'h3' }: Failure,
  again: () => void,
) {
  return el(
    'section',
    { class: 'plate failure', 'aria-labelledby': 'failure-title' },
    el(heading, { id: 'failure-title' }, el('span', { class: 'sign', 'aria-hidden': 'true' }, '!'), title),
    el('p', {}, el('bdi', {}, message)),
    retryAfterSeconds !== undefined &&
      el('p', {}, `Wait ${duration(retryAfterSeconds)} before you try again.`),
    code === 'UNAUTHENTICATED' && keyForm(),
    el('p', { class: 'failure-foot' }, retryable && button('Try again', again), el('code', {}, code)),
  );
}

/** Replaces a value that is missing because of an error. */
export function missing(message: string) {
  return el('p', { class: 'missing' }, el('bdi', {}, message));
}

/** The title for a request that failed as a whole. */
export function failureTitle(code: string) {
  if (code === 'UNREACHABLE') return 'No answer from the gateway';
  return code === 'UNAUTHENTICATED' ? 'This gateway asks for a key' : 'The gateway cannot take this';
}
