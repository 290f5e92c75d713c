// The locations: a picture of their weights, and a table.

import type { AnswerError, Candidate, Location, Redirect } from './answers.ts';
import { bounded } from './bounded.ts';
import { el, svg } from './dom.ts';
import { missing } from './failure-view.ts';
import { plate } from './plate.ts';
import { table } from './table.ts';
import { bdi, link, spelledOut } from './text.ts';
import { count } from './words.ts';

/** A picture with more bars is not readable. */
const MAX_BARS = 24;
const FIRST_ROWS = 50;
const HEADS = ['Id', 'Leads to', 'Country', 'Weight', 'For'];
const BAR_PIXELS = 66;

export function locationsView(
  locations: readonly Location[] | null,
  error: AnswerError | null,
  redirect: Redirect | null,
) {
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

function row(location: Location, redirect: Redirect | null) {
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

function sentence(locations: readonly Location[], redirect: Redirect | null) {
  const chosen = locations.find((location) => isSame(location, redirect?.location ?? null));
  const many = `The record offers ${count(locations.length, 'location')}. `;
  return chosen ? el('span', {}, many, 'Chosen now: ', bdi(chosen.localId ?? chosen.href), '.') : many;
}

function isSame(location: Candidate, other: Candidate | null) {
  return other !== null && location.localId === other.localId && location.href === other.href;
}

function roleOf({ httpRole, attributes }: Location) {
  return httpRole ?? attributes.find(({ name }) => name === 'role')?.value ?? null;
}

function picture(locations: readonly Location[], redirect: Redirect | null) {
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

/** Widths are in percent, so that the picture fits every container. @param share of all weights */
function bar(location: Location, share: number, notes: readonly (string | false | null)[]) {
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

/** Returns the probability of a location, in words. */
function chances(redirect: Redirect | null): (location: Location) => string | null {
  if (redirect?.chosenBy !== 'WEIGHTED') return () => null;
  const { candidates } = redirect;
  const sum = candidates.reduce((total, { weight }) => total + weight, 0);
  return (location) => {
    if (!candidates.some((candidate) => isSame(location, candidate))) return 'not drawn';
    const share = sum === 0 ? 1 / candidates.length : location.weight / sum;
    return `drawn in ${Math.round(share * 100)} %`;
  };
}

function shortened({ href, localId }: Location) {
  const host = URL.canParse(href) ? new URL(href).host : href;
  const text = host.length > 24 ? `${host.slice(0, 23)}…` : host;
  return localId === null ? text : `${localId.slice(0, 8)} · ${text}`;
}
