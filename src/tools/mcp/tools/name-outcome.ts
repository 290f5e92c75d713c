// Converts the answer for a DOI name to the result that tools return.

import type { DoiName } from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import { lookalikeWarning } from 'doi-names/parts';
import { z } from 'zod';
import { tombstoneAt } from '../../../handle/tombstone.ts';
import type { NameAnswer } from '../../gateway-client/look-up-names.ts';
import type { UpdatedWork } from '../../gateway-client/look-up-works.ts';
import { noticeTexts } from '../../gateway-client/update-outcome.ts';
import { linkedDoi, nullIfEmpty, Texts, type WithNulls } from './tool.ts';

export const OutcomeFields = {
  status: z.enum(['found', 'absent', 'cannot_tell']),
  alias: z.string().optional(),
  meant: z.array(Texts).optional().describe('Probably meant DOIs. Ask before you replace one.'),
  notes: z.array(Texts).optional(),
};

export type NameOutcome = WithNulls<z.infer<z.ZodObject<typeof OutcomeFields>>>;

/** The code of the note on a preprint that is published by now. */
export const PREPRINT = 'PREPRINT';

/** @param updates null if the caller did not look up the updates, or if they are unknown */
export function nameOutcome(
  name: DoiName,
  { outcome, target, alias, meant }: NameAnswer,
  updates: UpdatedWork | null = null,
): NameOutcome {
  const lookalike = lookalikeWarning(name, lookalikes);
  const notes: { code: string; message: string }[] = [];
  if (lookalike) notes.push({ code: 'LOOK_ALIKE', message: lookalike.message });
  if (alias !== null) notes.push({ code: 'ALIAS', message: `It is an alias of ${alias}.` });
  const tombstone = target === null ? null : tombstoneAt(target);
  if (tombstone) notes.push({ code: 'TOMBSTONE', message: `It leads to ${tombstone.meaning}.` });
  if (updates !== null && updates.notices.length > 0) {
    const message = noticeTexts(updates).filter(Boolean).join('; ');
    notes.push({ code: updates.outcome, message: message || 'The agency reports this without a date.' });
  }
  if (updates !== null && updates.publishedAs !== null) {
    notes.push({ code: PREPRINT, message: `published as ${updates.publishedAs}` });
  }
  const looksLike = lookalike?.repaired ? [lookalike.repaired] : [];
  return {
    status: outcome === 'unknown' ? 'cannot_tell' : outcome,
    alias,
    meant: nullIfEmpty((meant.length > 0 ? (meant as DoiName[]) : looksLike).map(linkedDoi)),
    notes: nullIfEmpty(notes),
  };
}

/** Returns the remarks that follow the status in a line of text. */
export function remarksOn({ meant, notes }: Pick<NameOutcome, 'meant' | 'notes'>): string[] {
  const names = (meant ?? []).map(({ doi }) => doi).join(', ');
  return [
    ...(names === '' ? [] : [`probably meant: ${names}`]),
    ...(notes ?? []).map(({ code, message }) => `${code}: ${message}`),
  ];
}
