// The queries that compare DOI names: doiEquivalence for a pair, doiEquivalenceClasses for a list.

import {
  canonicalName,
  type DoiEquivalence,
  type DoiEquivalenceRelation,
  type HandleName,
  type ParsedDoi,
  type UnreadDoi,
} from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import {
  compareDois,
  type DoiEquivalenceClasses,
  equivalenceClasses,
  type IndexedInput,
  parseDoi,
} from 'doi-names/parts';
import { builder, describedEnum } from '../builder.ts';
import {
  COUNTED_ABOVE,
  type FieldPrice,
  LOOK_UP_COST,
  lookUpField,
  priced,
  priceOfInputs,
} from '../field-price.ts';
import { DoiType, doiOf } from './doi.ts';
import { FORM_OF_ALL_ARGUMENT, MANY_INPUTS } from './doi-form.ts';
import { DoiProblemType, ParsedDoiType } from './parsed-doi.ts';

const RelationEnum = describedEnum<DoiEquivalenceRelation>(
  'DOIEquivalenceRelation',
  'How two names relate: the first of these values that is true. Only IDENTICAL and CASE mean that the names are equivalent. The next values are for different names that people easily confuse.',
  {
    IDENTICAL: 'The same name, code point by code point.',
    CASE: 'Only the case of Basic Latin letters differs: `10.1000/abc`, `10.1000/ABC`.',
    NORMALIZATION:
      'The names look the same but have different code points: `é` as one code point, and as `e` with a combining accent.',
    NON_LATIN_CASE: 'Only the case of letters outside Basic Latin differs: `10.1000/É`, `10.1000/é`.',
    DOUBLE_ENCODING:
      'If the percent triplets of one name are decoded once more, the result is the other name: `10.1000/a%23b`, `10.1000/a#b`.',
    TRAILING_SLASH: 'One name has an additional slash at its end: `10.1000/182`, `10.1000/182/`.',
    CONFUSABLE:
      'The names differ only in characters that look alike: a Cyrillic and a Latin `a`, a dash and a hyphen, `0` and `O`.',
    DISTINCT: 'The names are different, and no other value applies.',
    INVALID: 'At least one of the inputs is not a DOI name. `equivalent` is null.',
  },
);

type Compared = DoiEquivalence & { readonly a: ParsedDoi; readonly b: ParsedDoi };

const DoiEquivalenceType = builder.objectRef<Compared>('DOIEquivalence').implement({
  description: 'Two inputs, compared as DOI names.',
  fields: (t) => ({
    a: t.expose('a', { type: ParsedDoiType, description: 'The parsed first input.' }),
    b: t.expose('b', { type: ParsedDoiType, description: 'The parsed second input.' }),
    equivalent: t.exposeBoolean('equivalent', {
      nullable: true,
      description: 'Whether both inputs are the same DOI. Null if an input is not a DOI.',
    }),
    relation: t.expose('relation', {
      type: RelationEnum,
      description: 'How the two names relate, for programs: IDENTICAL, CASE, TRAILING_SLASH, …',
    }),
    explanation: t.exposeString('explanation', { description: 'For people: the relation in a sentence.' }),
    equivalentInNiso2000: t.exposeBoolean('equivalentInNiso2000', {
      nullable: true,
      description:
        'Whether the inputs were equivalent in the older standard Z39.84-2000, which distinguished the case of letters in a suffix. Null if an input is not a DOI.',
    }),
    sameAliasTarget: t.boolean({
      ...lookUpField(2 * LOOK_UP_COST),
      description:
        'Whether both names lead to the same handle if all their aliases are followed. The gateway looks up both names. Null with an error, or if an input is not a DOI.',
      resolve: async ({ a, b }, _args, { loaders, followAliases }) => {
        if (a.name === null || b.name === null) return null;
        const chainOf = async (name: HandleName) => followAliases(name, loaders);
        const [chainOfA, chainOfB] = await Promise.all([chainOf(a.name), chainOf(b.name)]);
        return canonicalName(chainOfA.record.handle) === canonicalName(chainOfB.record.handle);
      },
    }),
  }),
});

type EquivalenceClass = DoiEquivalenceClasses['classes'][number];

const MemberType = builder.objectRef<IndexedInput<ParsedDoi>>('DOIEquivalenceClassMember').implement({
  description: 'An input that belongs to a class.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place among the inputs, from 0.' }),
    input: t.string({
      description: 'The input as sent, in any form: `https://doi.org/10.1000/182`.',
      resolve: ({ parsed }) => parsed.input,
    }),
  }),
});

const ClassType = builder.objectRef<EquivalenceClass>('DOIEquivalenceClass').implement({
  description: 'Inputs that are all the same DOI.',
  fields: (t) => ({
    doi: t.field({
      type: DoiType,
      description: 'The DOI in the spelling of the first member.',
      resolve: ({ name }) => doiOf(name),
    }),
    members: t.expose('members', {
      type: [MemberType],
      description: 'The inputs of this class in their order, with duplicates.',
      ...COUNTED_ABOVE,
    }),
  }),
});

const UnreadableType = builder.objectRef<IndexedInput<UnreadDoi>>('UnreadableDOI').implement({
  description: 'An input that is not a DOI name.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place among the inputs, from 0.' }),
    input: t.string({ description: 'The input as sent.', resolve: ({ parsed }) => parsed.input }),
    problem: t.field({
      type: DoiProblemType,
      description: 'Why the input is not a DOI name, as in `parseDoi`.',
      resolve: ({ parsed }) => parsed.problem,
    }),
  }),
});

const ClassesType = builder.objectRef<DoiEquivalenceClasses>('DOIEquivalenceClasses').implement({
  description: 'Inputs in classes. Two inputs are in one class if they are the same DOI.',
  fields: (t) => ({
    classes: t.expose('classes', {
      type: [ClassType],
      description: 'The classes in the order of their first members.',
      ...COUNTED_ABOVE,
    }),
    unreadable: t.expose('unreadable', {
      type: [UnreadableType],
      description: 'The inputs that are not DOI names, in input order. They belong to no class.',
      ...COUNTED_ABOVE,
    }),
  }),
});

/** The price of two inputs. The longer input gives the multiplier, because selections on `a` and `b` are separate. */
function priceOfTwo({ a, b }: { readonly a: string; readonly b: string }): FieldPrice {
  const { multiplier } = priceOfInputs([a.length > b.length ? a : b]);
  return { ...priceOfInputs([a, b]), multiplier };
}

builder.queryFields((t) => ({
  doiEquivalence: t.field({
    type: DoiEquivalenceType,
    nullable: true,
    description:
      'Compares two inputs: `doiEquivalence(a: "10.123/ABC", b: "https://doi.org/10.123/AbC")` has the relation CASE, so the names are equivalent.',
    args: {
      a: t.arg.string({ required: true, description: 'A DOI name in any form: `10.1000/182`.' }),
      b: t.arg.string({
        required: true,
        description: 'Another DOI name in any form: `doi:10.1000/182`.',
      }),
      form: t.arg(FORM_OF_ALL_ARGUMENT),
    },
    ...priced(priceOfTwo),
    resolve: (_root, args) => {
      const a = parseDoi(args.a, args.form ?? null);
      const b = parseDoi(args.b, args.form ?? null);
      return { a, b, ...compareDois(a, b, lookalikes) };
    },
  }),
  doiEquivalenceClasses: t.field({
    type: ClassesType,
    nullable: true,
    description:
      'Groups many inputs into classes. All inputs of a class are the same DOI. Use it to remove duplicates from a list.',
    ...MANY_INPUTS,
    resolve: (_root, { inputs, form }) =>
      equivalenceClasses(inputs.map((input) => parseDoi(input, form ?? null))),
  }),
}));
