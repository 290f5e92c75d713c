// @ts-check
// What went wrong, in words, with a way to try again where that can help: as it was, or with an API key.

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
      el('p', {}, `It says to come again in ${duration(retryAfterSeconds)}.`),
    code === 'UNAUTHENTICATED' && keyForm(),
    el('p', { class: 'failure-foot' }, retryable && button('Try again', again), el('code', {}, code)),
  );
}

/** A field that is not there because of an error. @param {string} message */
export function missing(message) {
  return el('p', { class: 'missing' }, el('bdi', {}, message));
}

/** Of a request that failed as a whole. @param {string} code */
export function failureTitle(code) {
  if (code === 'UNREACHABLE') return 'No answer from the gateway';
  return code === 'UNAUTHENTICATED' ? 'This gateway asks for a key' : 'The gateway cannot take this';
}
