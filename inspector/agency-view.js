// @ts-check
// The agency that registered the name.

import { el } from './dom.js';
import { missing } from './failure-view.js';
import { plate } from './plate.js';
import { bdi, link } from './text.js';
import { embeddedRaInWords, whichRaInWords } from './words.js';

/** @import { AnswerError, DirectoryDoi } from './answers.js' */

/**
 * @param {NonNullable<DirectoryDoi['registrationAgency']> | null} agency
 * @param {NonNullable<DirectoryDoi['whichRa']> | null} whichRa
 * @param {AnswerError | null} error
 * @param {boolean} isEmbedded
 */
export function agencyView(agency, whichRa, error, isEmbedded) {
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
