// The outcome of a name as a tool tells it.

import { z } from 'zod';
import type { LinkedName } from '../../references/name-query.ts';
import type { NameOutcome } from '../../references/outcome.ts';
import { LinkedDoi } from './tool.ts';

export const OutcomeFields = {
  status: z
    .enum(['found', 'absent', 'cannot_tell'])
    .describe(
      'found: it is registered. absent: the directory says that it is not. cannot_tell: the directory could not be asked, or holds a sample only; never take this for absent.',
    ),
  target: z.string().nullable().describe('The URL that it leads to. Null where it leads nowhere.'),
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
    .array(
      z.object({
        code: z
          .string()
          .describe('LOOK_ALIKE, ALIAS, ALIAS_LOOP, TOMBSTONE, NOT_LOOKED_FOR or AGENCY_NOT_TOLD.'),
        message: z.string(),
      }),
    )
    .describe('What else to know: characters that imitate others, an alias, a work that was taken away.'),
  reason: z
    .object({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean().describe('Whether the same question may be answered later.'),
      retryAfterSeconds: z.number().nullable(),
    })
    .nullable()
    .describe('Why it cannot be told. Null unless status is cannot_tell.'),
};

export type ToldOutcome = z.infer<z.ZodObject<typeof OutcomeFields>>;

export function toldOutcome({ status, target, alias, meant, notes, reason }: NameOutcome): ToldOutcome {
  return {
    status: status === 'found' || status === 'absent' ? status : 'cannot_tell',
    target,
    alias,
    meant: meant.map(linkedDoi),
    notes: notes.map(({ code, message }) => ({ code, message })),
    reason,
  };
}

export function linkedDoi({ name, url }: LinkedName): z.infer<typeof LinkedDoi> {
  return { doi: name, url };
}

/** One line on what became of a DOI. */
export function outcomeLine(doi: string, outcome: ToldOutcome): string {
  const { status, target, meant, notes, reason } = outcome;
  const parts: string[] = [];
  if (status === 'found') parts.push(`found${target === null ? ', leads nowhere' : `, leads to ${target}`}`);
  if (status === 'absent') parts.push('ABSENT: the directory has no such DOI');
  if (status === 'cannot_tell') parts.push(`CANNOT TELL: ${reason?.message ?? ''}`);
  if (meant.length > 0) parts.push(`probably meant: ${meant.map((one) => one.doi).join(', ')}`);
  for (const { code, message } of notes) parts.push(`${code}: ${message}`);
  return `${doi}: ${parts.join('; ')}`;
}
