// @ts-check
// Explains an input that is not a DOI name, and offers the name that was probably meant.

import { textAreaById } from './dom.js';
import { offerView, problemView } from './name-view.js';
import { offerFor } from './offer.js';
import { forReaders } from './reader-words.js';
import { shortened } from './spoken.js';

/** @import { NameProblem, ReadAtOnce } from './answers.js' */

/**
 * Makes the section for the page, and the sentence for screen readers.
 * @param {string} text
 * @param {NameProblem} problem
 * @param {ReadAtOnce['meant']} meant
 * @param {AbortSignal} signal
 */
export async function explainProblem(text, problem, meant, signal) {
  const offer = await offerFor(text, problem, meant, signal);
  const sentence = `This is no DOI name. ${forReaders(problem.message)}`;
  if (!offer) return { plate: problemView(text, problem), words: sentence };
  const words = `${offer.words} ${shortened(offer.doi.name)}${offer.end} ${sentence}`;
  return { plate: offerView(text, problem, offer), words };
}

/** Marks the field for screen readers as valid or invalid. @param {boolean} isRefused */
export function markField(isRefused) {
  const field = textAreaById('doi');
  if (isRefused) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
  field.setAttribute('aria-describedby', isRefused ? 'ask-hint problem-title' : 'ask-hint');
}
