// Whether names are the same, in pairs and in sets.

import {
  compareDois,
  type DoiEquivalence,
  type DoiEquivalenceClasses,
  type DoiEquivalenceRelation,
  equivalenceClasses,
  type IndexedInput,
} from '../../doi/equivalence.ts';
import { lookalikes } from '../../doi/lookalikes.ts';
import { canonicalName, type HandleName } from '../../doi/name.ts';
import { type ParsedDoi, parseDoi, type UnreadDoi } from '../../doi/parse.ts';
import { builder } from '../builder.ts';
import { ASKS_DIRECTORY } from '../federation/federation-directives.ts';
import { COUNTED_ELSEWHERE, type FieldPrice, priced, priceOfInputs } from '../field-price.ts';
import { DoiType, doiOf } from './doi.ts';
import { FORM_OF_ALL_ARGUMENT, INPUTS_ARGUMENT } from './doi-form.ts';
import { DoiProblemType, ParsedDoiType } from './parsed-doi.ts';

const RelationEnum = builder.enumType('DOIEquivalenceRelation', {
  description:
    'How two names relate: the first value that holds, in this order. Only IDENTICAL and CASE are equivalent; the others are different names that are easily confused.',
  values: {
    IDENTICAL: { description: 'The same name, code point by code point.' },
    CASE: { description: 'Only the case of Basic Latin letters differs: `10.1000/abc`, `10.1000/ABC`.' },
    NORMALIZATION: {
      description:
        'Look the same, composed differently: `é` as one code point, and as `e` with a combining accent.',
    },
    NON_LATIN_CASE: {
      description: 'Only the case of letters outside Basic Latin differs: `10.1000/É`, `10.1000/é`.',
    },
    DOUBLE_ENCODING: {
      description:
        'One is the other with a percent triplet decoded once more: `10.1000/a%23b`, `10.1000/a#b`.',
    },
    TRAILING_SLASH: { description: 'One has a slash more at its end: `10.1000/182`, `10.1000/182/`.' },
    CONFUSABLE: {
      description:
        'Made of characters that look alike: a Cyrillic and a Latin `a`, a dash and a hyphen, `0` and `O`.',
    },
    DISTINCT: { description: 'Different names, and not alike in any of these ways.' },
    INVALID: { description: 'One of the inputs, or both, is no DOI name. `equivalent` is null.' },
  } as const satisfies Record<DoiEquivalenceRelation, { description: string }>,
});

type Compared = DoiEquivalence & { readonly a: ParsedDoi; readonly b: ParsedDoi };

const DoiEquivalenceType = builder.objectRef<Compared>('DOIEquivalence').implement({
  description: 'Two inputs, compared as DOI names.',
  fields: (t) => ({
    a: t.field({
      type: ParsedDoiType,
      description: 'The parsed first input.',
      resolve: ({ a }) => a,
    }),
    b: t.field({
      type: ParsedDoiType,
      description: 'The parsed second input.',
      resolve: ({ b }) => b,
    }),
    equivalent: t.exposeBoolean('equivalent', {
      nullable: true,
      description: 'Whether both name the same DOI. Null when one of them is no DOI.',
    }),
    relation: t.expose('relation', {
      type: RelationEnum,
      description: 'How the two names relate, for programs: IDENTICAL, CASE, TRAILING_SLASH, …',
    }),
    explanation: t.exposeString('explanation', { description: 'For people: the relation in a sentence.' }),
    equivalentInNiso2000: t.exposeBoolean('equivalentInNiso2000', {
      nullable: true,
      description:
        'The verdict of Z39.84-2000, which took suffixes for case-sensitive. Null when an input is no DOI.',
    }),
    sameAliasTarget: t.boolean({
      nullable: true,
      ...priced({ field: 40, multiplier: 1 }),
      directives: ASKS_DIRECTORY,
      description:
        'Whether both lead to one handle when their aliases are followed, to the end. Asks the directory. Null when an input is no DOI, and on an error.',
      resolve: async ({ a, b }, _args, { loaders }) => {
        if (a.name === null || b.name === null) return null;
        const end = async (name: HandleName) => loaders.aliasChain(name);
        // Both are begun before one is waited for.
        const [endOfA, endOfB] = await Promise.all([end(a.name), end(b.name)]);
        return canonicalName(endOfA.record.handle) === canonicalName(endOfB.record.handle);
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
      description: 'The input as given, in whatever form: `https://doi.org/10.1000/182`.',
      resolve: ({ parsed }) => parsed.input,
    }),
  }),
});

const ClassType = builder.objectRef<EquivalenceClass>('DOIEquivalenceClass').implement({
  description: 'Inputs that all name one DOI.',
  fields: (t) => ({
    doi: t.field({
      type: DoiType,
      description: 'The DOI as its first member spells it.',
      resolve: ({ name }) => doiOf(name),
    }),
    members: t.field({
      type: [MemberType],
      description: 'In input order, duplicates included.',
      ...priced(COUNTED_ELSEWHERE),
      resolve: ({ members }) => [...members],
    }),
  }),
});

const UnreadableType = builder.objectRef<IndexedInput<UnreadDoi>>('UnreadableDOI').implement({
  description: 'An input that is no DOI name.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place among the inputs, from 0.' }),
    input: t.string({ description: 'The input as given.', resolve: ({ parsed }) => parsed.input }),
    problem: t.field({
      type: DoiProblemType,
      description: 'Why it could not be read, the same as `parseDoi` says.',
      resolve: ({ parsed }) => parsed.problem,
    }),
  }),
});

const ClassesType = builder.objectRef<DoiEquivalenceClasses>('DOIEquivalenceClasses').implement({
  description: 'A list of inputs, sorted into sets that each name one DOI.',
  fields: (t) => ({
    classes: t.field({
      type: [ClassType],
      description: 'In the order of their first members.',
      ...priced(COUNTED_ELSEWHERE),
      resolve: ({ classes }) => [...classes],
    }),
    unreadable: t.field({
      type: [UnreadableType],
      description: 'The inputs that are no DOI names, in input order. They belong to no class.',
      ...priced(COUNTED_ELSEWHERE),
      resolve: ({ unreadable }) => [...unreadable],
    }),
  }),
});

/** As for two inputs. But a selection is made on one of them, so it counts by the longer input alone. */
function priceOfTwo({ a, b }: { readonly a: string; readonly b: string }): FieldPrice {
  const { multiplier } = priceOfInputs([a.length > b.length ? a : b]);
  return { ...priceOfInputs([a, b]), multiplier };
}

builder.queryFields((t) => ({
  doiEquivalence: t.field({
    type: DoiEquivalenceType,
    description:
      'Compares two inputs: `doiEquivalence(a: "10.123/ABC", b: "https://doi.org/10.123/AbC")` is CASE, and equivalent.',
    args: {
      a: t.arg.string({ required: true, description: 'A DOI name in any form: `10.1000/182`.' }),
      b: t.arg.string({
        required: true,
        description: 'The one to compare it with, in the same form or another: `doi:10.1000/182`.',
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
    description:
      'Sorts many inputs into sets that each name one DOI, as for removing duplicates from a list.',
    args: { inputs: t.arg.stringList(INPUTS_ARGUMENT), form: t.arg(FORM_OF_ALL_ARGUMENT) },
    ...priced(({ inputs }: { readonly inputs: readonly string[] }) => priceOfInputs(inputs)),
    resolve: (_root, { inputs, form }) =>
      equivalenceClasses(inputs.map((input) => parseDoi(input, form ?? null))),
  }),
}));
