// Whether each reference fits the work that its DOI names. One DOI may stand in a right and in a wrong reference.

import { Failure } from '../../ask/ask-each.ts';
import { createLookUpWorks } from '../../ask/look-up-works.ts';
import type { DoiMatch } from '../../doi/find/find-dois.ts';
import { referenceAround } from '../../doi/find/reference-around.ts';
import { Slices } from '../../graphql/turns.ts';
import { fitOfReference, type NamedWork } from '../../metadata/reference-fit.ts';
import { type ToolContext, ToolError } from './tool.ts';

export const FITS = ['fits', 'does_not_fit', 'cannot_tell'] as const;
export type Fit = (typeof FITS)[number];

const FIT_NAMES = { FITS: 'fits', DOES_NOT_FIT: 'does_not_fit', CANNOT_TELL: 'cannot_tell' } as const;

export type Places = readonly [DoiMatch, ...DoiMatch[]];

/** The places of one DOI that fit alike. */
export interface JudgedPlaces {
  readonly places: Places;
  readonly fit: Fit;
  readonly title: string | null;
}

/**
 * For each name, in order: its places by how they fit, those first that stand first. Rejects with a ToolError if
 * the gateway can ask no agency.
 */
export async function judgedReferences(
  text: string,
  names: readonly Places[],
  { gateway, signal, turns }: ToolContext,
): Promise<readonly (readonly JudgedPlaces[])[]> {
  const lookUp = createLookUpWorks({ ...gateway, signal, wait: null });
  const works = await lookUp(names.map(([{ name }]) => name));
  const failure = works.find((work) => work instanceof Failure);
  if (failure !== undefined && works.every((work) => work instanceof Failure)) {
    throw new ToolError(`${failure.message} Call again without \`titles\`.`);
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
    judged.push([...byFit].map(([fit, alike]) => ({ places: alike, fit, title: known?.title ?? null })));
  }
  return judged;
}

function fitAt(text: string, place: DoiMatch, work: NamedWork): Fit {
  return FIT_NAMES[fitOfReference(referenceAround(text, place), work)];
}
