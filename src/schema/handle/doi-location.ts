// One of several places a name may lead to.

import { attributeOf, type Location, type LocationAttribute } from '../../handle/locations.ts';
import { builder } from '../builder.ts';

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
