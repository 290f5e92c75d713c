// Whether nothing answers at all. Then a run stops, and a job waits. If only an agency or some names fail, the run goes on.

import { randomUUID } from 'node:crypto';
import { NoGatewayError, type SendOperation } from '../gateway-client/send-operation.ts';
import { type Field, queryOf, readFields } from './fields.ts';
import { NameResponse } from './name-response.ts';
import { concernsService, isFailed, isRetryable, type RowAnswer } from './read-outcome.ts';

const EXISTS_QUERY = queryOf(readFields('exists'));
/** Crossref's prefix for tests. No cache has a new name below it, so only the directory can answer. */
const TEST_PREFIX = '10.5555';

/**
 * Whether names were looked up, no look-up got an answer, and the look-up of a new name gets no answer now. A failure at the
 * service of an agency says nothing about the directory.
 */
export async function nothingAnswers(
  answers: readonly (RowAnswer | undefined)[],
  fields: readonly Field[],
  send: SendOperation,
  signal?: AbortSignal,
): Promise<boolean> {
  const lookedUp = answers.filter((answer) => answer && (answer.error === null || isFailed(answer)));
  if (lookedUp.length === 0 || !lookedUp.every((answer) => answer && isSilent(answer, fields))) return false;
  const inputs = [`${TEST_PREFIX}/doi-gateway-${randomUUID()}`];
  try {
    const { data } = await send<{ parseDois: unknown[] }>(EXISTS_QUERY, { inputs, form: 'NAME' }, signal);
    const name = NameResponse.safeParse(data?.parseDois?.[0]).data;
    return typeof name?.doi?.exists !== 'boolean';
  } catch (error) {
    if (error instanceof NoGatewayError) return true;
    throw error;
  }
}

function isSilent(answer: RowAnswer, fields: readonly Field[]): boolean {
  return isRetryable(answer) && !concernsService(answer, fields);
}
