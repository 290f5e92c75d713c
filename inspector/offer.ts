// Offers the name that was probably meant, as a link. The page never replaces the input itself.

import { addressOf } from './address.ts';
import type { NamedDoi, Problem } from './answers.ts';
import { el } from './dom.ts';
import { GatewayFailure, sendOperation } from './gateway.ts';
import { code } from './text.ts';

export function inspectLink({ id, name }: NamedDoi) {
  return el('a', { class: 'inspect', href: addressOf({ doi: id, other: '' }) }, code(name));
}

export interface Offer {
  readonly words: string;
  readonly doi: NamedDoi;
  readonly end: '?' | '.';
}

/** Resolves to the offer for an input that is not a DOI name; null: there is no offer. A shortDOI needs a look-up. */
export async function offerFor(
  text: string,
  problem: Problem,
  meant: readonly { readonly doi: NamedDoi }[],
  signal: AbortSignal,
): Promise<Offer | null> {
  const isShort = problem.code === 'SHORT_DOI';
  const doi = isShort ? await expanded(text, signal) : meant[0]?.doi;
  if (!doi) return null;
  return isShort
    ? { words: 'This shortDOI stands for', doi, end: '.' }
    : { words: 'Did you mean', doi, end: '?' };
}

async function expanded(input: string, signal: AbortSignal): Promise<NamedDoi | null> {
  try {
    const { data } = await sendOperation('InspectShortDoi', { input }, signal);
    return data.shortDoi?.doi ?? null;
  } catch (error) {
    if (error instanceof GatewayFailure) return null;
    throw error;
  }
}
