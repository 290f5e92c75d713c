// Judges for each place of a DOI whether the words around it fit the title of its work.

import type { DoiMatch } from 'doi-names';
import { referenceAround } from 'doi-names/parts';
import { Slices } from '../../../slices.ts';
import { fitOfReference, type NamedWork } from '../../../works/reference-fit.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { createLookUpWorks, NAMED_WORK } from '../../gateway-client/look-up-works.ts';
import { type ToolContext, ToolError, whenAgain } from './tool.ts';

export const FITS = ['fits', 'does_not_fit', 'cannot_tell'] as const;
export type Fit = (typeof FITS)[number];

const FIT_NAMES = { FITS: 'fits', DOES_NOT_FIT: 'does_not_fit', CANNOT_TELL: 'cannot_tell' } as const;

export type Places = readonly [DoiMatch, ...DoiMatch[]];

/** The places of one DOI with the same fit. */
interface JudgedPlaces {
  readonly places: Places;
  readonly fit: Fit;
  readonly title: string | null;
  /** the failed look-up of the title; null if the title is known, or if the work has none */
  readonly titleFailure: Failure | null;
}

/**
 * Groups the places of each name by fit, because a text can use one DOI in a right and in a wrong reference. Rejects with a
 * ToolError if the look-ups of all works failed.
 */
export async function judgedReferences(
  text: string,
  names: readonly Places[],
  { gateway, signal, turns }: ToolContext,
): Promise<readonly (readonly JudgedPlaces[])[]> {
  const lookUp = createLookUpWorks(NAMED_WORK, { ...gateway, signal, wait: null });
  const works = await lookUp(names.map(([{ name }]) => name));
  const failure = works.find((work) => work instanceof Failure);
  if (failure !== undefined && works.every((work) => work instanceof Failure)) {
    const { message, remedy, retryAfterSeconds } = failure;
    const later = remedy === 'nothing' ? '' : ` ${whenAgain(retryAfterSeconds || null)}, or`;
    throw new ToolError(`${message} Call again${later} without \`titles\`.`);
  }
  const slices = new Slices(turns);
  const judged: JudgedPlaces[][] = [];
  for (const [at, places] of names.entries()) {
    const work = works[at];
    const known = work instanceof Failure ? null : (work ?? null);
    const byFit = new Map<Fit, [DoiMatch, ...DoiMatch[]]>();
    for (const place of places) {
      const fit = known === null ? 'cannot_tell' : fitAt(text, place, known);
      const alike = byFit.get(fit);
      if (alike) alike.push(place);
      else byFit.set(fit, [place]);
      if (slices.isOverNow()) {
        await slices.next();
        signal.throwIfAborted();
      }
    }
    const facts = { title: known?.title ?? null, titleFailure: work instanceof Failure ? work : null };
    judged.push([...byFit].map(([fit, alike]) => ({ places: alike, fit, ...facts })));
  }
  return judged;
}

function fitAt(text: string, place: DoiMatch, work: NamedWork): Fit {
  return FIT_NAMES[fitOfReference(referenceAround(text, place), work)];
}
