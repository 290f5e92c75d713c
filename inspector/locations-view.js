// @ts-check
// The locations: a picture of their weights, and a table.

import { bounded } from './bounded.js';
import { el, svg } from './dom.js';
import { missing } from './failure-view.js';
import { plate } from './plate.js';
import { table } from './table.js';
import { bdi, link, spelledOut } from './text.js';
import { count } from './words.js';

/** @import { AnswerError, Candidate, Location, Redirect } from './answers.js' */

/** A picture with more bars is not readable. */
const MAX_BARS = 24;
const FIRST_ROWS = 50;
const HEADS = ['Id', 'Leads to', 'Country', 'Weight', 'For'];
const BAR_PIXELS = 66;

/**
 * @param {readonly Location[] | null} locations
 * @param {AnswerError | null} error
 * @param {Redirect | null} redirect
 */
export function locationsView(locations, error, redirect) {
  if (!locations) return plate('locations', 'Locations', missing(error?.message ?? 'There is no response.'));
  if (locations.length === 0) return null;
  return plate(
    'locations',
    'Locations',
    el('p', {}, sentence(locations, redirect)),
    picture(locations, redirect),
    bounded(locations, FIRST_ROWS, 'location', (some) =>
      table(
        'locations',
        'The same as a table',
        HEADS,
        some.map((location) => row(location, redirect)),
      ),
    ),
  );
}

/** @param {Location} location @param {Redirect | null} redirect */
function row(location, redirect) {
  const { localId, href, label, country, weight } = location;
  const chosen = isSame(location, redirect?.location ?? null);
  return [
    bdi(localId ?? '–'),
    el('span', {}, link(href), label !== null && el('small', {}, bdi(label))),
    bdi(country?.toUpperCase() ?? 'any'),
    String(weight),
    el('span', {}, bdi(roleOf(location) ?? 'everybody'), chosen && el('small', {}, 'chosen now')),
  ];
}

/** @param {readonly Location[]} locations @param {Redirect | null} redirect */
function sentence(locations, redirect) {
  const chosen = locations.find((location) => isSame(location, redirect?.location ?? null));
  const many = `The record offers ${count(locations.length, 'location')}. `;
  return chosen ? el('span', {}, many, 'Chosen now: ', bdi(chosen.localId ?? chosen.href), '.') : many;
}

/** @param {Candidate} location @param {Candidate | null} other */
function isSame(location, other) {
  return other !== null && location.localId === other.localId && location.href === other.href;
}

/** @param {Location} location */
function roleOf({ httpRole, attributes }) {
  return httpRole ?? attributes.find(({ name }) => name === 'role')?.value ?? null;
}

/**
 * @param {readonly Location[]} locations
 * @param {Redirect | null} redirect
 */
function picture(locations, redirect) {
  const shown = locations.slice(0, MAX_BARS);
  const sum = locations.reduce((total, { weight }) => total + weight, 0);
  const chance = chances(redirect);
  return svg(
    'svg',
    {
      class: 'weights',
      role: 'img',
      'aria-label': 'Weights of the locations as bars; the table has the same figures',
      width: '100%',
      height: shown.length * BAR_PIXELS,
    },
    ...shown.map((location, index) => {
      const chosen = isSame(location, redirect?.location ?? null);
      return svg(
        'g',
        { class: chosen ? 'bar chosen' : 'bar', transform: `translate(0 ${index * BAR_PIXELS})` },
        ...bar(location, location.weight / sum, [chosen && 'chosen now', chance(location)]),
      );
    }),
  );
}

/**
 * Widths are in percent, so that the picture fits every container.
 * @param {Location} location
 * @param {number} share of all weights
 * @param {readonly (string | false | null)[]} notes
 */
function bar(location, share, notes) {
  const { country, weight } = location;
  const role = roleOf(location);
  const name = shortened(location) + (role ? ` · ${role.slice(0, 12)}` : '');
  // A weight can be any number, even a number that no bar can show.
  const width = Number.isFinite(share) ? Math.min(Math.max(share, 0), 1) : 0;
  const rest = { x: 0, y: 25, height: 9, rx: 4.5 };
  return [
    country && svg('rect', { class: 'country', x: 0.5, y: 1.5, width: 34, height: 18, rx: 4 }),
    country &&
      svg(
        'text',
        { class: 'country-name', x: 17.5, y: 15, 'text-anchor': 'middle' },
        spelledOut(country.slice(0, 3).toUpperCase()),
      ),
    svg('text', { class: 'place-name', x: country ? 43 : 0, y: 15 }, spelledOut(name)),
    svg('rect', { class: 'track', width: '100%', ...rest }),
    width > 0 && svg('rect', { class: 'weight', width: `${width * 100}%`, ...rest }),
    svg('text', { class: 'figure', x: 0, y: 49 }, [`weight ${weight}`, ...notes.filter(Boolean)].join(' · ')),
  ];
}

/** Returns the probability of a location, in words. @param {Redirect | null} redirect @returns {(location: Location) => string | null} */
function chances(redirect) {
  if (redirect?.chosenBy !== 'WEIGHTED') return () => null;
  const { candidates } = redirect;
  const sum = candidates.reduce((total, { weight }) => total + weight, 0);
  return (location) => {
    if (!candidates.some((candidate) => isSame(location, candidate))) return 'not drawn';
    const share = sum === 0 ? 1 / candidates.length : location.weight / sum;
    return `drawn in ${Math.round(share * 100)} %`;
  };
}

/** @param {Location} location */
function shortened({ href, localId }) {
  const host = URL.canParse(href) ? new URL(href).host : href;
  const text = host.length > 24 ? `${host.slice(0, 23)}…` : host;
  return localId === null ? text : `${localId.slice(0, 8)} · ${text}`;
}
