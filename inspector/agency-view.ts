// The agency that registered the name.

import type { AnswerError, DirectoryDoi } from './answers.ts';
import { el } from './dom.ts';
import { missing } from './failure-view.ts';
import { plate } from './plate.ts';
import { bdi, link } from './text.ts';
import { embeddedRaInWords, whichRaInWords } from './words.ts';

export function agencyView(
  agency: NonNullable<DirectoryDoi['registrationAgency']> | null,
  whichRa: NonNullable<DirectoryDoi['whichRa']> | null,
  error: AnswerError | null,
  isEmbedded: boolean,
) {
  if (!agency && !whichRa)
    return plate('agency', 'Registration agency', missing(error?.message ?? 'There is no response.'));
  if (!agency && isEmbedded && whichRa?.status !== 'INVALID_DOI') {
    const words = embeddedRaInWords(whichRa?.status ?? 'UNKNOWN');
    return plate('agency', 'Registration agency', el('p', {}, words));
  }
  if (!agency) {
    return plate(
      'agency',
      'Registration agency',
      el('p', {}, whichRaInWords(whichRa?.status ?? 'UNKNOWN')),
      whichRa?.message && el('p', { class: 'missing' }, el('bdi', {}, whichRa.message)),
    );
  }
  const { name, title, homepageUrl, documented } = agency;
  return plate(
    'agency',
    'Registration agency',
    el('p', { class: 'agency-name' }, bdi(title ?? name)),
    title !== null && title !== name && el('p', {}, 'Which RA calls it ', bdi(name), '.'),
    homepageUrl !== null && el('p', {}, link(homepageUrl)),
    !documented && el('p', { class: 'missing' }, 'This gateway knows only the label of this agency.'),
  );
}
