// The types of redirects and locations. A DOI leads to the same place as at the DOI proxy.

import type { HandleName } from 'doi-names';
import { readPreferences } from '../../handle/client-preferences.ts';
import type { Location, LocationAttribute } from '../../handle/locations.ts';
import type { RedirectWarning } from '../../handle/record-locations.ts';
import { chooseRedirect, NO_REDIRECT, type Redirect, type RedirectChoice } from '../../handle/redirect.ts';
import { attributeOf } from '../../handle/xml.ts';
import type { Resolved } from '../../loaders/resolve-name.ts';
import { mapSoon, type Soon } from '../../time.ts';
import { builder, describedEnum, type GatewayContext } from '../builder.ts';
import { filteredValues } from './handle-record.ts';

const LocationAttributeType = builder.objectRef<LocationAttribute>('DOILocationAttribute').implement({
  description: 'An attribute of a location, unchanged from the record.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The name in the XML of the record: `id`, `country`, `http_role`.',
    }),
    value: t.exposeString('value', { description: 'The value as text, even for a number: `gb`, `0.5`.' }),
  }),
});

/** Options of a field with the value of an attribute. */
const attribute = (name: string) =>
  ({ nullable: true, resolve: (location: Location) => attributeOf(location, name) }) as const;

export const LocationType = builder.objectRef<Location>('DOILocation').implement({
  description:
    'A place to which a DOI can lead. A `10320/loc` value lists several places for different readers.',
  fields: (t) => ({
    localId: t.string({
      ...attribute('id'),
      description: 'The `id`: `locatt: ["id:1"]` chooses this location. Null if the location has no `id`.',
    }),
    href: t.exposeString('href', {
      description: 'The stored URL. If it is a template, the gateway inserts the name.',
    }),
    weight: t.exposeFloat('weight', {
      description:
        'The weight in a random choice: a location with 2 is chosen twice as often as a location with 1. A location with 0 is chosen only if all locations have 0. Default: 1.',
    }),
    country: t.string({
      ...attribute('country'),
      description:
        'The country of its readers as ISO 3166 alpha-2: `gb`. Null if the record gives no country.',
    }),
    httpRole: t.string({
      ...attribute('http_role'),
      description:
        '`conneg`: for programs that request data with their Accept header. `browser`, `no_conneg`: for people. Mostly null.',
    }),
    label: t.string({
      ...attribute('label'),
      description: 'The label of the location in a menu. Null if the record gives no label.',
    }),
    attributes: t.expose('attributes', {
      type: [LocationAttributeType],
      description: 'All attributes in the order of the record. Their names are the keys of `locatt`.',
    }),
  }),
});

export const RedirectInput = builder.inputType('RedirectInput', {
  description: 'The query parameters and headers of a reader that change where a name leads.',
  fields: (t) => ({
    locatt: t.stringList({
      description: 'Attributes as `key:value`: `["id:1"]`. A location must have all of them.',
    }),
    country: t.string({ description: "The reader's country as ISO 3166 alpha-2, in any case: `gb`." }),
    urlAppend: t.string({
      description: 'A text that is appended to the URL: `?page=2`. It cannot change the host.',
    }),
    accept: t.string({
      description:
        "The reader's Accept header: `text/turtle` for a program, `text/html` for a browser. Default: no header.",
    }),
    acceptLanguage: t.string({
      description: "The reader's Accept-Language header: `fr, en;q=0.5`. Default: no language.",
    }),
    userAgent: t.string({
      description:
        "The reader's User-Agent header. Without `accept`, only `Mozilla/5.0` and `Opera/9.80` are browsers.",
    }),
    ignoreAliases: t.boolean({ description: 'Do not follow aliases.' }),
    types: t.stringList({
      description: 'Use only values of these types: `["URL"]`. `URL.` also matches subtypes.',
    }),
    indexes: t.intList({ description: 'Use only values with these indexes: `[1]`.' }),
  }),
});

const RedirectChoiceEnum = describedEnum<RedirectChoice>('RedirectChoice', 'How the target was chosen.', {
  URL: 'The target is the URL value with the lowest index.',
  LOCATT: 'Only one location has the attributes of `locatt`.',
  COUNTRY: 'Only one location is for the country of the reader.',
  SCORE: 'One location has the highest `score`.',
  WEIGHTED: 'A random choice from `candidates` by weight. The next query can give another location.',
  ONLY_LOCATION: 'There was only one location.',
  NONE: 'There is nothing to redirect to.',
});

const RedirectWarningCodeEnum = describedEnum<RedirectWarning['code']>(
  'RedirectWarningCode',
  'The reason why a value was skipped.',
  {
    UNREADABLE_LOCATIONS: 'The gateway could not read the XML of a `10320/loc` value to its end.',
    UNSAFE_TARGET: 'The target is not an http, https or ftp URL, or `urlAppend` would change its host.',
  },
);

const RedirectWarningType = builder.objectRef<RedirectWarning>('RedirectWarning').implement({
  description: 'A part of the record that the gateway could not use.',
  fields: (t) => ({
    code: t.expose('code', {
      type: RedirectWarningCodeEnum,
      description: 'The reason, for programs: UNSAFE_TARGET, …',
    }),
    message: t.exposeString('message', { description: 'For people: the skipped value, and the reason.' }),
  }),
});

/** `via`: the targets of the aliases, in order. */
type FollowedRedirect = Redirect & { readonly via: readonly string[] };

export const RedirectType = builder.objectRef<FollowedRedirect>('DOIRedirect').implement({
  description: 'Where a DOI leads, and how this target was chosen.',
  fields: (t) => ({
    url: t.exposeString('url', {
      nullable: true,
      description: 'The target URL, as in a Location header. Null if the record has no target.',
    }),
    chosenBy: t.expose('chosenBy', {
      type: RedirectChoiceEnum,
      description: 'How the target was chosen: from a URL value, from locations, or NONE.',
    }),
    via: t.exposeStringList('via', {
      description:
        'The targets of the aliases, in order. The last handle is the end of the chain. Empty without an alias.',
    }),
    location: t.expose('location', {
      type: LocationType,
      nullable: true,
      description: 'The chosen location. Null for a plain URL value, or if there is nothing to redirect to.',
    }),
    candidates: t.expose('candidates', {
      type: [LocationType],
      description: 'The locations among which the last step chose. Empty for a plain URL value.',
    }),
    statusCode: t.exposeInt('statusCode', {
      nullable: true,
      description:
        'The HTTP status of the redirect: 302, unless the record gives another status. Null if there is nothing to redirect to.',
    }),
    warnings: t.expose('warnings', {
      type: [RedirectWarningType],
      description: 'Parts of the record that the gateway could not use. Mostly empty.',
    }),
  }),
});

type RedirectParameters = typeof RedirectInput.$inferInput;

/** Follows aliases, then chooses the target. With `ignoreAliases`, the target comes from the record of the alias itself. */
export function redirectOf(
  name: HandleName,
  parameters: RedirectParameters,
  context: GatewayContext,
): Soon<FollowedRedirect> {
  const resolved = context.resolveName(name, context, { ignoresAliases: parameters.ignoreAliases ?? false });
  return mapSoon(resolved, (found) => decide(found, parameters, context));
}

function decide(
  { record, via, prefix }: Resolved,
  parameters: RedirectParameters,
  { expiry, random }: GatewayContext,
): FollowedRedirect {
  if (prefix.isInactive) return { ...NO_REDIRECT, via };
  const { locatt, country, urlAppend } = parameters;
  const values = filteredValues(record.values, parameters);
  const request = {
    locatt: locatt ?? [],
    country: country ?? null,
    urlAppend: urlAppend ?? null,
    preferences: readPreferences(parameters),
  };
  const choice = chooseRedirect({ ...record, values }, prefix, request, random);
  if (choice.isDrawn) expiry.mustNotBeCached();
  return { ...choice, via };
}
