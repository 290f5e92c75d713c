// Where a DOI leads, as the DOI proxy would decide it.

import type { HandleName } from '../../doi/name.ts';
import type { Location, LocationAttribute } from '../../handle/locations.ts';
import { aliasOf } from '../../handle/record.ts';
import type { RedirectWarning } from '../../handle/record-locations.ts';
import { chooseRedirect, NO_REDIRECT, type Redirect, type RedirectChoice } from '../../handle/redirect.ts';
import { attributeOf } from '../../handle/xml.ts';
import type { Resolved } from '../../loaders/resolve-name.ts';
import { mapSoon, type Soon } from '../../time.ts';
import { builder, type GatewayContext } from '../builder.ts';
import { filteredValues } from './handle-record.ts';

// One of several places a name may lead to.

const LocationAttributeType = builder.objectRef<LocationAttribute>('DOILocationAttribute').implement({
  description: 'An attribute of a location, as its record has it.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'As in the XML of the record: `id`, `country`, `http_role`.',
    }),
    value: t.exposeString('value', { description: 'Always as text, numbers too: `gb`, `0.5`.' }),
  }),
});

export const DoiLocationType = builder.objectRef<Location>('DOILocation').implement({
  description: 'A place a DOI may lead to, from a `10320/loc` value: one of several for different readers.',
  fields: (t) => ({
    localId: t.string({
      nullable: true,
      description: 'The `id` within its list; null where it has none. `locatt: ["id:1"]` chooses by it.',
      resolve: (location) => attributeOf(location, 'id'),
    }),
    href: t.exposeString('href', { description: 'The URL as stored, a template filled in with the name.' }),
    weight: t.exposeFloat('weight', {
      description:
        'How often it is drawn in proportion to others; 0 is drawn only when all are. 1 unless it says.',
    }),
    country: t.string({
      nullable: true,
      description: 'Whose readers it is for, as ISO 3166 alpha-2: `gb`. Null where none is given.',
      resolve: (location) => attributeOf(location, 'country'),
    }),
    httpRole: t.string({
      nullable: true,
      description:
        '`conneg`: for programs that ask for data by their Accept header, and never for people. Null for most.',
      resolve: (location) => attributeOf(location, 'http_role'),
    }),
    label: t.string({
      nullable: true,
      description: 'What to call it in a list to choose from. Null where the record does not say.',
      resolve: (location) => attributeOf(location, 'label'),
    }),
    attributes: t.field({
      type: [LocationAttributeType],
      description: 'Everything its record says of it, in order: the keys that `locatt` may ask for.',
      resolve: ({ attributes }) => [...attributes],
    }),
  }),
});

export const RedirectInput = builder.inputType('RedirectInput', {
  description: "The DOI proxy's query parameters that change where a name leads.",
  fields: (t) => ({
    locatt: t.stringList({
      description: '`key:value` each, which the location must have: `["id:1"]`. Several must all match.',
    }),
    country: t.string({ description: "The reader's country as ISO 3166 alpha-2, in any case: `gb`." }),
    urlAppend: t.string({
      description: 'Appended to the URL, such as `?page=2`. It cannot lead to another host.',
    }),
    ignoreAliases: t.boolean({ description: 'Stay with the name itself where it is an alias.' }),
    types: t.stringList({
      description: 'Decide among values of these types alone; `URL.` takes subtypes too.',
    }),
    indexes: t.intList({ description: 'Decide among the values with these indexes alone.' }),
  }),
});

const RedirectChoiceEnum = builder.enumType('RedirectChoice', {
  description: 'What decided. The list grows: clients need a default branch.',
  values: {
    URL: { description: 'A plain URL value, the one with the lowest index.' },
    LOCATT: { description: 'The attributes of `locatt` left one location.' },
    COUNTRY: { description: 'The country left one location.' },
    SCORE: { description: 'One location has the highest `score`.' },
    WEIGHTED: { description: 'Drawn among `candidates` by weight: asking again may give another.' },
    ONLY_LOCATION: { description: 'There was one location to choose from.' },
    NONE: { description: 'There is nothing to redirect to.' },
  } as const satisfies Record<RedirectChoice, { description: string }>,
});

const RedirectWarningCodeEnum = builder.enumType('RedirectWarningCode', {
  description: 'The reason why a value was skipped. The list grows: clients need a default branch.',
  values: {
    UNREADABLE_LOCATIONS: { description: 'The XML of a `10320/loc` value could not be read to its end.' },
    UNSAFE_TARGET: {
      description: 'A target is no http, https or ftp URL, or would have led to another host.',
    },
  } as const satisfies Record<RedirectWarning['code'], { description: string }>,
});

const RedirectWarningType = builder.objectRef<RedirectWarning>('RedirectWarning').implement({
  description: 'Something in the record that could not be used.',
  fields: (t) => ({
    code: t.expose('code', {
      type: RedirectWarningCodeEnum,
      description: 'What could not be used, for programs: UNSAFE_TARGET, …',
    }),
    message: t.exposeString('message', { description: 'For people: the skipped value, and the reason.' }),
  }),
});

/** A decision, and the handles that aliases led through to it. */
type FollowedRedirect = Redirect & { readonly via: readonly string[] };

export const DoiRedirectType = builder.objectRef<FollowedRedirect>('DOIRedirect').implement({
  description: 'Where a DOI leads, and why there.',
  fields: (t) => ({
    url: t.exposeString('url', {
      nullable: true,
      description: 'The URL as a Location header has it. Null when there is nothing to redirect to.',
    }),
    chosenBy: t.expose('chosenBy', {
      type: RedirectChoiceEnum,
      description: 'What decided: a plain URL value, a way to choose among locations, or NONE.',
    }),
    via: t.stringList({
      description: 'The handles that aliases led through, the last one included; empty without an alias.',
      resolve: ({ via }) => [...via],
    }),
    location: t.field({
      type: DoiLocationType,
      nullable: true,
      description:
        'The location that was chosen; null for a plain URL value, or with nothing to redirect to.',
      resolve: ({ location }) => location,
    }),
    candidates: t.field({
      type: [DoiLocationType],
      description: 'The locations that the last step chose among; empty for a plain URL value.',
      resolve: ({ candidates }) => [...candidates],
    }),
    statusCode: t.exposeInt('statusCode', {
      nullable: true,
      description:
        'The HTTP status of the redirection: 302 unless the record says otherwise. Null when there is nothing to redirect to.',
    }),
    warnings: t.field({
      type: [RedirectWarningType],
      description: 'What could not be used on the way to this decision. Empty for most names.',
      resolve: ({ warnings }) => [...warnings],
    }),
  }),
});

type RedirectParameters = typeof RedirectInput.$inferInput;

/** Follows aliases and decides. An alias that is not to be followed leads nowhere, as on the DOI proxy. */
export function redirectOf(
  name: HandleName,
  parameters: RedirectParameters,
  context: GatewayContext,
): Soon<FollowedRedirect> {
  const resolved = context.loaders.resolved(name, { ignoresAliases: parameters.ignoreAliases ?? false });
  return mapSoon(resolved, (found) => decide(found, parameters, context));
}

function decide(
  { record, via, prefix }: Resolved,
  parameters: RedirectParameters,
  { expiry, random }: GatewayContext,
): FollowedRedirect {
  if (aliasOf(record) !== null || prefix.isInactive) return { ...NO_REDIRECT, via };
  const { locatt, country, urlAppend } = parameters;
  const values = filteredValues(record.values, parameters);
  const request = { locatt: locatt ?? [], country: country ?? null, urlAppend: urlAppend ?? null };
  const choice = chooseRedirect({ ...record, values }, prefix, request, random);
  if (choice.isDrawn) expiry.mustNotBeCached();
  return { ...choice, via };
}
