// @ts-check
// Shows a failure in words, with a button to try again if a retry can help, or with a field for an API key.

import { keyForm } from './api-key.js';
import { button, el } from './dom.js';
import { duration } from './words.js';

/**
 * @param {{ title: string, message: string, code: string, retryable: boolean, retryAfterSeconds?: number | undefined, heading?: 'h2' | 'h3' }} failure
 * @param {() => void} again
 */
export function failureView({ title, message, code, retryable, retryAfterSeconds, heading = 'h3' }, again) {
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

/** Replaces a value that is missing because of an error. @param {string} message */
export function missing(message) {
  return el('p', { class: 'missing' }, el('bdi', {}, message));
}

/** The title for a request that failed as a whole. @param {string} code */
export function failureTitle(code) {
  if (code === 'UNREACHABLE') return 'No answer from the gateway';
  return code === 'UNAUTHENTICATED' ? 'This gateway asks for a key' : 'The gateway cannot take this';
}
