// Gives a sentence to screen readers when something is finished. They read it from the live region of the page.

import { byId } from './dom.ts';

export function say(sentence: string) {
  const region = byId('said');
  // Screen readers read only a changed text, so a repeated sentence gets a space at its end.
  region.textContent = region.textContent === sentence ? `${sentence}\u00A0` : sentence;
}
