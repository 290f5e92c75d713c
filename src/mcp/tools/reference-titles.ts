// Whether references fit what their DOIs name, as a tool tells it.

import { z } from 'zod';
import { Failure } from '../../ask/ask-each.ts';
import type { NameAnswer } from '../../ask/look-up-names.ts';
import { createLookUpWorks } from '../../ask/look-up-works.ts';
import { referenceAround } from '../../doi/find/reference-around.ts';
import { fitOfReference, type ReferenceFit } from '../../metadata/reference-fit.ts';
import type { FoundName } from './found-in-text.ts';
import { type ToolContext, ToolError } from './tool.ts';

export const TitleFields = {
  fit: z
    .enum(['fits', 'does_not_fit', 'cannot_tell'])
    .nullable()
    .describe(
      'does_not_fit: a registered DOI, probably of another work than the one that is cited. cannot_tell: no metadata, or words that say too little. Null without `titles`, and for what is not found.',
    ),
  title: z.string().nullable().describe('What it names. Null without `titles`, and where that is not known.'),
};

export interface ToldTitle {
  readonly fit: 'fits' | 'does_not_fit' | 'cannot_tell' | null;
  readonly title: string | null;
}

export const NO_TITLE: ToldTitle = { fit: null, title: null };

const FIT_TOLD = { FITS: 'fits', DOES_NOT_FIT: 'does_not_fit', CANNOT_TELL: 'cannot_tell' } as const;

/**
 * Of each name with its places, in their order: one that fits at one place fits. Rejects with a ToolError where the
 * gateway asks no agency.
 */
export async function titlesOf(
  text: string,
  names: readonly (readonly [FoundName, ...FoundName[]])[],
  answers: readonly NameAnswer[],
  { gateway, signal }: ToolContext,
): Promise<readonly ToldTitle[]> {
  const found = names.filter((_, at) => answers[at]?.outcome === 'found');
  const lookUp = createLookUpWorks({ ...gateway, signal, wait: null });
  const works = await lookUp(found.map(([{ doi }]) => doi.name));
  const failure = works.find((work) => work instanceof Failure);
  if (failure !== undefined && works.every((work) => work instanceof Failure)) {
    throw new ToolError(`${failure.message} Call again without \`titles\`.`);
  }
  const told = new Map(
    found.map((places, at) => {
      const work = works[at];
      if (!work || work instanceof Failure) return [places, CANNOT_TELL] as const;
      const fits = places.map((place) => fitOfReference(referenceAround(text, place), work));
      return [places, { fit: FIT_TOLD[bestOf(fits)], title: work.title }] as const;
    }),
  );
  return names.map((places) => told.get(places) ?? NO_TITLE);
}

const CANNOT_TELL: ToldTitle = { fit: 'cannot_tell', title: null };

function bestOf(fits: readonly ReferenceFit[]): ReferenceFit {
  if (fits.includes('FITS')) return 'FITS';
  return fits.includes('DOES_NOT_FIT') ? 'DOES_NOT_FIT' : 'CANNOT_TELL';
}

export function fitTold({ fit, title }: ToldTitle): string {
  if (fit === 'fits') return '; the reference fits';
  return fit === 'does_not_fit' ? `; DOES NOT FIT: it is "${title}"` : '';
}
