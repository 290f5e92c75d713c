// Requests as large as the gateway allows. If the price of an operation leaves out a cost, these attacks show it.

import { names } from '../../../bench/peers/data.mjs';
import { type Attack, type Largest, largest, upTo } from '../attack.ts';
import {
  doi,
  dois,
  EQUIVALENCE_CLASSES,
  graphqlAliases,
  letters,
  list,
  NAME,
  op,
  PARSE_DOI,
  PARSE_DOIS,
  short,
  times,
} from '../requests.ts';

/** Makes a value of a size. */
type BySize<T> = (size: number) => T;

const texts: BySize<string[]> = (size) => list(size, (n) => `T${n}`);
const indexes: BySize<number[]> = (size) => list(size, (n) => n);
const VALUES_OF_TYPES = ['record{values(types:$p){index}}', '[String!]'] as const;
const VALUES_OF_INDEXES = ['record{values(indexes:$p){index}}', '[Int!]'] as const;
const ENCODINGS = ['encodings(forms:$p){value}', '[DOIEncodingForm!]'] as const;

/** Members of the argument `parameters`. */
const PARAMETERS: Readonly<Record<string, readonly [maxSize: number, make: BySize<unknown>]>> = {
  types: [100_000, texts],
  indexes: [130_000, indexes],
  locatt: [80_000, (size) => list(size, (n) => `id:${n}`)],
  country: [900_000, letters],
};
/** Fields with the argument `parameters`: the selection, the type of the argument, and the start of `urlAppend`. */
const FIELDS = {
  proxyUrl: ['proxyUrl(parameters:$p)', 'ProxyUrlInput', ''],
  redirect: ['redirect(parameters:$p){url}', 'RedirectInput', '?'],
} as const;

/** Arguments of fields: a selection, and a value. Each makes an attack for each number of names. */
type Argument = readonly [maxSize: number, field: readonly [string, string, string?], make: BySize<unknown>];
const ARGUMENTS: Readonly<Record<string, Argument>> = {
  'urlAppend of proxyUrl, with only characters that need an encoding': [
    200_000,
    FIELDS.proxyUrl,
    (size) => ({ urlAppend: '\u{10ffff}'.repeat(size) }),
  ],
  'types of values': [100_000, VALUES_OF_TYPES, (size) => texts(size).map((text) => `${text}.`)],
  'indexes of values': [130_000, VALUES_OF_INDEXES, indexes],
  'forms of encodings': [60_000, ENCODINGS, (size) => list(size, () => 'HTML')],
  ...Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, field]): [string, Argument][] => [
      [`urlAppend of ${name}`, [900_000, field, (size) => ({ urlAppend: field[2] + letters(size) })]],
      ...Object.entries(PARAMETERS).map(([key, [maxSize, make]]): [string, Argument] => {
        return [`${key} of ${name}`, [maxSize, field, (size) => ({ [key]: make(size) })]];
      }),
    ]),
  ),
};
const argumentsOfFields = Object.entries(ARGUMENTS).flatMap(([name, [maxSize, [field, type], make]]) =>
  [1, 20, 200, 2_000].flatMap((count) => {
    const n = [...names.slice(0, count - 1), '10.5555/locations'];
    const label = `${name}, for ${count === 1 ? '1 name' : `${count} names`}`;
    return largest({ [label]: [maxSize, (size) => op(dois(field, `,$p:${type}`), { n, p: make(size) })] });
  }),
);

const ENTITIES = 'query($r:[_Any!]!){_entities(representations:$r){...on DOI{name record{values{text}}}}}';
const inputs = (maxSize: number, query: string, make: (n: number) => unknown) =>
  upTo(maxSize, (size) => op(query, { n: list(size, make) }));
const entities = (maxSize: number, make: (n: number) => object) =>
  upTo(maxSize, (size) => op(ENTITIES, { r: list(size, (n) => ({ __typename: 'DOI', ...make(n) })) }));
const known = (n: number): string | undefined => names[n % names.length];
const invalid = (n: number): string => `bad ${n}`;
const plainName = (n: number): string => `10.1/${n}`;

const FOUR_FIELDS = dois('name uri record{handle}redirect{url}');
const ACCENTS = '%C3%A9'.repeat(66);
const numbersOfInputs = largest({
  'invalid inputs of dois': inputs(100_000, dois('name'), () => ''),
  'invalid inputs of dois, with four fields': inputs(100_000, FOUR_FIELDS, invalid),
  'valid inputs of dois, with computed fields only': inputs(40_000, dois('name uri url html'), plainName),
  'valid inputs of dois, with records': inputs(4_000, dois('record{values{type text}}redirect{url}'), known),
  'absent names, with suggestions': inputs(4_000, dois('exists suggestions{name}'), (n) => `10.1/${n}%252F.`),
  'inputs of parseDois': inputs(40_000, PARSE_DOIS, (n) => `https://doi.org/10.1/${n}`),
  'invalid inputs of parseDois': inputs(40_000, PARSE_DOIS, () => '10.1000/%'),
  'inputs of parseDois of 400 characters': inputs(2_500, PARSE_DOIS, (n) => `10.1/${n}${ACCENTS}`),
  'inputs of doiEquivalenceClasses': inputs(40_000, EQUIVALENCE_CLASSES, plainName),
  'invalid inputs of doiEquivalenceClasses': inputs(40_000, EQUIVALENCE_CLASSES, invalid),
  'invalid representations': entities(40_000, () => ({ id: 'x' })),
  representations: entities(20_000, (n) => ({ ref: known(n) })),
});

const FORMS = 'name uri url urn html markdown utf8Hex codePoints webForm warnings{code}encodings{value}';
const ABSENT = 'exists suggestions{name}redirect{url}whichRa{status}';
const one = (maxSize: number, query: string, make: BySize<string>) =>
  upTo(maxSize, (size) => op(query, { n: make(size) }));
const plain: BySize<string> = (size) => `10.1/${letters(size)}`;
const lessThanSigns: BySize<string> = (size) => `10.1/${'<'.repeat(size)}`;
const marks = (piece: string, size: number): string => `10.1/a${piece.repeat(size)}`;
const RUN = `a${'\u0323\u0301'.repeat(60)}`;
const agencies = (count: number) => {
  const query = `query($a:String!){${graphqlAliases(count, 'registrationAgency(name:$a){name title}')}}`;
  return upTo(900_000, (size) => op(query, { a: letters(size) }));
};
const MANY_ENCODINGS = doi(graphqlAliases(100, 'encodings{value}'));
const COMPARED = 'query($a:String!,$b:String!){doiEquivalence(a:$a,b:$b){relation explanation}}';

const lengthsOfInputs = largest({
  'one long name in all forms': one(900_000, doi(FORMS), plain),
  'one long name of < in all forms': one(900_000, doi(FORMS), lessThanSigns),
  'one long name, 100 GraphQL aliases of html': one(900_000, doi(graphqlAliases(100, 'html')), lessThanSigns),
  'one long name, 100 GraphQL aliases of encodings': one(900_000, MANY_ENCODINGS, plain),
  'one long absent name': one(900_000, doi(ABSENT), plain),
  'combining marks': one(480_000, doi('name warnings{code message}'), (size) => marks('\u0301', size)),
  'combining marks, parsed': one(480_000, PARSE_DOI, (size) => marks('\u0301\u0323', size / 2)),
  'combining marks in short runs': one(480_000, PARSE_DOI, (size) => `10.1/${RUN.repeat(size / 121)}`),
  'proxy parameters': one(400_000, PARSE_DOI, (size) => `https://doi.org/10.1/1?${'a&'.repeat(size)}`),
  'percent triplets': one(300_000, PARSE_DOI, (size) => `https://doi.org/10.1/${'%25'.repeat(size)}`),
  'white space': one(900_000, PARSE_DOI, (size) => `${' '.repeat(size)}10.1/1 x`),
  'marks to compare': upTo(200_000, (size) =>
    op(COMPARED, { a: marks('\u0301\u0323', size), b: marks('\u0323\u0301', size) }),
  ),
  'a name of an agency, 1 GraphQL alias': agencies(1),
  'a name of an agency, 30 GraphQL aliases': agencies(30),
  'a name of an agency, 900 GraphQL aliases': agencies(900),
});

/** GraphQL aliases of a field of Query. */
const ofQuery = (maxSize: number, field: string) =>
  upTo(maxSize, (size) => op(`{${graphqlAliases(size, field)}}`));
/** GraphQL aliases of a field of one name. */
const ofName = (field: string, name = NAME, maxSize = 3_000) =>
  upTo(maxSize, (size) => op(`{doi(input:"${name}"){${graphqlAliases(size, field)}}}`));
/** GraphQL aliases of a field of a hostile record. */
const ofRecord = (record: string, field: string, what = field.split('{')[0]): [string, Largest] => [
  `record ${record}, GraphQL aliases of ${what}`,
  ofName(field, `10.5555/${record}`, 2_000),
];
/** A list that repeats the name of a hostile record. */
const repeated = (record: string, field: string, more = ''): [string, Largest] => [
  `record ${record}, its name repeated${more}`,
  inputs(2_000, dois(field), () => `10.5555/${record}`),
];
const VALUES = 'record{values{index type text ttl data{format}}}';
const ALL_AGENCIES = 'registrationAgencies{name title homepageUrl documented}';
const LOCATIONS = 'locations{href attributes{name value}}';
const SCHEMA =
  '__schema{types{name description fields{name description args{name type{name}}type{name ofType{name}}}}}';
const dataOf = (fields: string): string => `record{values{data{...on ${fields}}}}`;
const chain = (n: number): string => `10.5555/chain-${n % 38}`;
const sameTarget = (n: number): string =>
  `a${n}:doiEquivalence(a:"${chain(n)}",b:"${chain(n + 5)}"){sameAliasTarget}`;
const WITH_VALUES = 'values admins long-text quotes controls wide references bytes deep'.split(' ');
const WITH_LOCATIONS = 'attributes locations lists weight choose-many template entities'.split(' ');

const aliasesOfFields = largest({
  'GraphQL aliases of encodings': ofName('encodings{form label value sourceDocument}'),
  'GraphQL aliases of record': ofName('record{values{type text data{format}}}'),
  'GraphQL aliases of suggestions': ofName('suggestions{name}'),
  'GraphQL aliases of proxyUrl': ofName('proxyUrl(parameters:{types:["a","b"],urlAppend:"xxxxxxxx"})'),
  'GraphQL aliases of introspection': ofQuery(400, SCHEMA),
  'GraphQL aliases of _service': ofQuery(2_000, '_service{sdl}'),
  'GraphQL aliases of registrationAgencies': ofQuery(2_000, ALL_AGENCIES),
  'GraphQL aliases of sameAliasTarget': upTo(2_000, (size) => op(`{${times(size, sameTarget)}}`)),
  'encodings of 1,000 names': upTo(300, (size) =>
    op(dois(graphqlAliases(size, 'encodings{value}')), { n: short(1_000) }),
  ),
  ...Object.fromEntries([
    ...WITH_VALUES.map((record) => ofRecord(record, VALUES)),
    ofRecord('wide', dataOf('HandleOtherData{value}'), 'its JSON'),
    ofRecord('admins', dataOf('HandleAdminData{grants}'), 'its grants'),
    ofRecord('references', dataOf('HandleValueListData{references{handle index}}'), 'its references'),
    ofRecord('bytes', dataOf('HandleBinaryData{hex base64 text}'), 'its bytes'),
    ...WITH_LOCATIONS.flatMap((record) => [
      ofRecord(record, LOCATIONS),
      ofRecord(record, 'redirect{url candidates{href attributes{value}}}'),
    ]),
    repeated('values', VALUES),
    repeated('values', 'record{values(types:["NONE"]){index}}', ', no value selected'),
    repeated('attributes', LOCATIONS),
    repeated('locations', 'redirect{url}'),
    repeated('long-text', 'record{values{text}}'),
    repeated('controls', 'record{values{text}}'),
    repeated('chain-20', 'redirect{url via}'),
  ]),
});

const inDoi = (maxSize: number, field: (n: number) => string, after: BySize<string> = () => '') =>
  upTo(maxSize, (size) => op(`{doi(input:"x"){${times(size, field)}}}${after(size)}`));
const fragments: BySize<string> = (size) => times(size, (n) => `fragment f${n} on DOI{a:url b:urn}`);
const deferred = (n: number): string => `...@defer(label:"l${n}"){a${n}:url}`;
const documents = largest({
  'unknown fields': inDoi(6_000, (n) => `registrationAgenc${n}`),
  'fields that conflict': inDoi(6_000, (n) => `a:${n % 2 ? 'url' : 'urn'}`),
  'fragments to compare': inDoi(1_000, (n) => `...f${n}`, fragments),
  'deferred parts of 500 names': upTo(300, (size) => op(dois(times(size, deferred)), { n: short(500) })),
});

export const largestAttacks: readonly Attack[] = [
  ...argumentsOfFields,
  ...numbersOfInputs,
  ...lengthsOfInputs,
  ...aliasesOfFields,
  ...documents,
];
