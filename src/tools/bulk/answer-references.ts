// Searches for the works that the references of rows describe, and looks up the fields of their DOIs. If a search fails, the
// answer of the row is an error, never "not found".

import { Failure, NO_ANSWER } from '../gateway-client/batched-queries.ts';
import { createMatchReferences, type ReferenceAnswer } from '../gateway-client/match-references.ts';
import { answerNames, type BulkGateway, problemAnswer } from './answer-names.ts';
import type { Field } from './fields.ts';
import { EMPTY_CODE, failedAnswer, type RowAnswer, UNREACHABLE_CODE } from './read-outcome.ts';
import { failedSearch, REFERENCE_FIELDS, referenceValues } from './reference-fields.ts';
import type { Row } from './row.ts';

/**
 * Resolves with the answers in the order of the rows; undefined for rows without an answer after `stop`. Rejects like
 * `answerNames`, and with a NoGatewayError if the gateway does not search for references.
 *
 * @param fields REFERENCE_FIELDS, and then fields of the DOI
 */
export async function answerReferences(
  rows: readonly Row[],
  fields: readonly Field[],
  gateway: BulkGateway,
): Promise<(RowAnswer | undefined)[]> {
  const ofDoi = fields.slice(REFERENCE_FIELDS.length);
  const { send, wait, stop } = gateway;
  const signal = gateway.signal ?? new AbortController().signal;
  const match = createMatchReferences({ send, signal, stop, wait: (ms) => wait(ms, signal) });
  const texts = rows.flatMap(({ name }) => name || []);
  const matches = (await match(texts)).values();
  const matched = rows.map(({ name }) => (name ? (matches.next().value ?? NO_ANSWER) : null));
  const names = matched.flatMap((answer) => nameOf(answer) ?? []);
  const looked = ofDoi.length === 0 ? null : await answerNames(names, ofDoi, { ...gateway, form: 'NAME' });
  const answers = looked?.values();
  const noFields: RowAnswer = { values: ofDoi.map(() => null), error: null };
  return rows.map((row, index) => {
    const answer = matched[index] ?? null;
    if (row.problem !== null) return problemAnswer(row, fields);
    if (answer === null) return failedAnswer(EMPTY_CODE, fields);
    if (answer instanceof Failure) {
      if (stop?.aborted && answer === NO_ANSWER) return undefined;
      return failedSearch(answer.code ?? UNREACHABLE_CODE, fields);
    }
    const ofName = answers && nameOf(answer) !== null ? answers.next().value : noFields;
    return ofName && { ...ofName, values: [...referenceValues(answer), ...ofName.values] };
  });
}

function nameOf(answer: ReferenceAnswer | Failure | null): string | null {
  return answer === null || answer instanceof Failure ? null : (answer.work?.doi.name ?? null);
}
