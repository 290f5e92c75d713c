// Explains an input that is not a DOI name, and offers the name that was probably meant.

import type { NameProblem, ReadAtOnce } from './answers.ts';
import { textAreaById } from './dom.ts';
import { offerView, problemView } from './name-view.ts';
import { offerFor } from './offer.ts';
import { forReaders } from './reader-words.ts';
import { shortened } from './spoken.ts';

/** Makes the section for the page, and the sentence for screen readers. */
export async function explainProblem(
  text: string,
  problem: NameProblem,
  meant: ReadAtOnce['meant'],
  signal: AbortSignal,
) {
  const offer = await offerFor(text, problem, meant, signal);
  const sentence = `This is no DOI name. ${forReaders(problem.message)}`;
  if (!offer) return { plate: problemView(text, problem), words: sentence };
  const words = `${offer.words} ${shortened(offer.doi.name)}${offer.end} ${sentence}`;
  return { plate: offerView(text, problem, offer), words };
}

/** Marks the field for screen readers as valid or invalid. */
export function markField(isRefused: boolean) {
  const field = textAreaById('doi');
  if (isRefused) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
  field.setAttribute('aria-describedby', isRefused ? 'ask-hint problem-title' : 'ask-hint');
}
