// @ts-check
// Sends operations to the gateway. Every failure becomes a GatewayFailure with a message for readers.

import { keyHeaders } from './api-key.js';

/** @import { AnswerError } from './answers.js' */

/** The page cannot reach the gateway, or the gateway refuses the whole request. */
export class GatewayFailure extends Error {
  /**
   * @param {string} message
   * @param {string} code of the gateway's table, or UNREACHABLE
   * @param {boolean} retryable
   * @param {number} [retryAfterSeconds]
   */
  constructor(message, code, retryable, retryAfterSeconds) {
    super(message);
    this.name = 'GatewayFailure';
    this.code = code;
    this.retryable = retryable;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Rejects with a GatewayFailure. If the signal is aborted, rejects with the signal's reason.
 * @template Data
 * @param {string} document
 * @param {Record<string, unknown>} variables
 * @param {AbortSignal} signal
 * @returns {Promise<{ data: Data, errors: readonly AnswerError[] }>}
 */
export async function sendOperation(document, variables, signal) {
  const response = await post(document, variables, signal);
  const answer = await response.json().catch(() => null);
  signal.throwIfAborted();
  if (answer?.data) return { data: answer.data, errors: answer.errors ?? [] };
  /** @type {AnswerError | undefined} */
  const error = answer?.errors?.[0];
  if (!error) {
    const message = `The response (HTTP status ${response.status}) is not from the gateway. It may be restarting.`;
    throw new GatewayFailure(message, 'UNREACHABLE', true);
  }
  throw failureOf(error);
}

/** Converts an error of a response. @param {AnswerError | undefined} error */
export function failureOf(error) {
  const { code = 'INTERNAL_SERVER_ERROR', retryable = false, retryAfterSeconds } = error?.extensions ?? {};
  const message = error?.message ?? 'There is no data, for an unknown reason.';
  return new GatewayFailure(message, code, retryable, retryAfterSeconds);
}

/**
 * @param {string} document
 * @param {Record<string, unknown>} variables
 * @param {AbortSignal} signal
 */
async function post(document, variables, signal) {
  try {
    return await fetch('./graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        ...keyHeaders(),
      },
      body: JSON.stringify({ query: document, variables }),
      signal,
    });
  } catch {
    signal.throwIfAborted();
    throw new GatewayFailure(
      'The gateway cannot be reached. It may be down, or this computer may be offline.',
      'UNREACHABLE',
      true,
    );
  }
}

/**
 * The error at a field of `doi`, or at a field inside it.
 * @param {readonly AnswerError[]} errors
 * @param {string} field
 */
export function errorAt(errors, field) {
  return errors.find(({ path }) => path?.[1] === field) ?? null;
}

/**
 * The address of GraphiQL with a document and its variables. GraphiQL does not execute the document.
 * @param {string} document
 * @param {Record<string, unknown>} variables
 */
export function graphiqlAddress(document, variables) {
  const text = JSON.stringify(variables, null, 2);
  return `./graphql#query=${encodeURIComponent(document)}&variables=${encodeURIComponent(text)}`;
}
