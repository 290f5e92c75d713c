// What became of a name, as a tool tells it.

import { z } from 'zod';
import type { NameAnswer } from '../../ask/look-up-names.ts';
import { tombstoneAt } from '../../ask/tombstones.ts';
import { recommendedUrl } from '../../doi/encoding-forms.ts';
import type { DoiName } from '../../doi/name.ts';
import { lookalikeWarning } from '../../doi/warnings.ts';
import { LinkedDoi } from './tool.ts';

const Note = z.object({
  code: z.string().describe('LOOK_ALIKE, ALIAS, TOMBSTONE, or what could not be told: UPSTREAM_TIMEOUT, …'),
  message: z.string(),
});

export const OutcomeFields = {
  status: z
    .enum(['found', 'absent', 'cannot_tell'])
    .describe(
      'found: it is registered. absent: the directory says that it is not. cannot_tell: the directory could not be asked, or holds a sample only; never take this for absent.',
    ),
  reason: z.string().nullable().describe('Why it cannot be told. Null unless status is cannot_tell.'),
  target: z.string().nullable().describe('The URL that it leads to. Null where that is nowhere.'),
  alias: z
    .string()
    .nullable()
    .describe('The handle that stands for it, which is the one to cite. Null for most.'),
  meant: z
    .array(LinkedDoi)
    .describe(
      'DOIs that were probably meant: registered ones close to an absent one, or what a look-alike looks like. Ask a person before you replace anything.',
    ),
  notes: z
    .array(Note)
    .describe('What else to know: characters that imitate others, an alias, a work that was taken away.'),
};

export type ToldOutcome = z.infer<z.ZodObject<typeof OutcomeFields>>;

export function toldOutcome(name: DoiName, answer: NameAnswer): ToldOutcome {
  const { outcome, reason, target, alias } = answer;
  const lookalike = lookalikeWarning(name);
  const notes: z.infer<typeof Note>[] = [];
  if (lookalike) notes.push({ code: 'LOOK_ALIKE', message: lookalike.message });
  if (alias !== null) notes.push({ code: 'ALIAS', message: `It is an alias: ${alias} stands for it.` });
  const tombstone = target === null ? null : tombstoneAt(target);
  if (tombstone) notes.push({ code: 'TOMBSTONE', message: `It leads to ${tombstone.meaning}.` });
  const looksLike = lookalike?.repaired ? [lookalike.repaired] : [];
  const meant = answer.meant.length > 0 ? (answer.meant as DoiName[]) : looksLike;
  return {
    status: outcome === 'unknown' ? 'cannot_tell' : outcome,
    reason,
    target,
    alias,
    meant: meant.map((doi) => ({ doi, url: recommendedUrl(doi) })),
    notes,
  };
}

/** One line on what became of a DOI. */
export function outcomeLine(doi: string, outcome: ToldOutcome): string {
  const { status, reason, target, meant, notes } = outcome;
  const parts = [
    status === 'found'
      ? `found${target === null ? '' : `, leads to ${target}`}`
      : status === 'absent'
        ? 'ABSENT: the directory has no such DOI'
        : `CANNOT TELL: ${reason ?? ''}`,
    ...(meant.length > 0 ? [`probably meant: ${meant.map((one) => one.doi).join(', ')}`] : []),
    ...notes.map(({ code, message }) => `${code}: ${message}`),
  ];
  return `${doi}: ${parts.join('; ')}`;
}
