// Whether names are the same, in pairs and in sets.

import {
  compareDois,
  DOI_EQUIVALENCE_RELATIONS,
  type DoiEquivalence,
  type DoiEquivalenceClasses,
  equivalenceClasses,
  type IndexedInput,
} from '../doi/equivalence.ts';
import { canonicalName } from '../doi/name.ts';
import { type ParsedDoi, parseDoi, type UnreadDoi } from '../doi/parse.ts';
import { builder, costOfInputs } from './builder.ts';
import { DoiType } from './doi.ts';
import { DoiFormEnum } from './doi-form.ts';
import { DoiProblemType, ParsedDoiType } from './parsed-doi.ts';

const RelationEnum = builder.enumType('DOIEquivalenceRelation', {
  description:
    'How two names relate: the first that holds, in this order. Only IDENTICAL and CASE are equivalent; the others tell names apart that are easily taken for one.',
  values: DOI_EQUIVALENCE_RELATIONS,
});

type Compared = DoiEquivalence & { readonly a: ParsedDoi; readonly b: ParsedDoi };

const DoiEquivalenceType = builder.objectRef<Compared>('DOIEquivalence').implement({
  description: 'Two inputs, compared as DOI names.',
  fields: (t) => ({
    a: t.field({ type: ParsedDoiType, resolve: ({ a }) => a }),
    b: t.field({ type: ParsedDoiType, resolve: ({ b }) => b }),
    equivalent: t.exposeBoolean('equivalent', {
      nullable: true,
      description: 'Whether both name the same DOI. Null when one of them is no DOI.',
    }),
    relation: t.expose('relation', { type: RelationEnum }),
    explanation: t.exposeString('explanation', { description: 'For people: the relation in a sentence.' }),
    equivalentInNiso2000: t.exposeBoolean('equivalentInNiso2000', {
      nullable: true,
      description:
        'The verdict of Z39.84-2000, which took suffixes for case-sensitive. Null when an input is no DOI.',
    }),
    sameAliasTarget: t.boolean({
      nullable: true,
      complexity: { field: 40, multiplier: 1 },
      description:
        'Whether both lead to one handle when their aliases are followed, to the end. Asks the directory. Null when an input is no DOI, and on an error.',
      resolve: async ({ a, b }, _args, { loaders }) => {
        if (a.name === null || b.name === null) return null;
        const [endOfA, endOfB] = await Promise.all([loaders.aliasChain(a.name), loaders.aliasChain(b.name)]);
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
    input: t.string({ resolve: ({ parsed }) => parsed.input }),
  }),
});

const ClassType = builder.objectRef<EquivalenceClass>('DOIEquivalenceClass').implement({
  description: 'Inputs that all name one DOI.',
  fields: (t) => ({
    doi: t.field({
      type: DoiType,
      description: 'The DOI as its first member spells it.',
      resolve: ({ name }) => name,
    }),
    members: t.field({
      type: [MemberType],
      description: 'In input order, duplicates included.',
      complexity: 1,
      resolve: ({ members }) => [...members],
    }),
  }),
});

const UnreadableType = builder.objectRef<IndexedInput<UnreadDoi>>('UnreadableDOI').implement({
  description: 'An input that is no DOI name.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place among the inputs, from 0.' }),
    input: t.string({ resolve: ({ parsed }) => parsed.input }),
    problem: t.field({ type: DoiProblemType, resolve: ({ parsed }) => parsed.problem }),
  }),
});

const ClassesType = builder.objectRef<DoiEquivalenceClasses>('DOIEquivalenceClasses').implement({
  description: 'A list of inputs, sorted into sets that each name one DOI.',
  fields: (t) => ({
    classes: t.field({
      type: [ClassType],
      description: 'In the order of their first members.',
      complexity: 1,
      resolve: ({ classes }) => [...classes],
    }),
    unreadable: t.field({
      type: [UnreadableType],
      complexity: 1,
      resolve: ({ unreadable }) => [...unreadable],
    }),
  }),
});

builder.queryFields((t) => ({
  doiEquivalence: t.field({
    type: DoiEquivalenceType,
    description:
      'Compares two inputs: `doiEquivalence(a: "10.123/ABC", b: "https://doi.org/10.123/AbC")` is CASE, and equivalent.',
    args: {
      a: t.arg.string({ required: true }),
      b: t.arg.string({ required: true }),
      form: t.arg({ type: DoiFormEnum }),
    },
    complexity: ({ a, b }) => costOfInputs([a, b]),
    resolve: (_root, args) => {
      const a = parseDoi(args.a, args.form ?? null);
      const b = parseDoi(args.b, args.form ?? null);
      return { a, b, ...compareDois(a, b) };
    },
  }),
  doiEquivalenceClasses: t.field({
    type: ClassesType,
    description:
      'Sorts many inputs into sets that each name one DOI, as for removing duplicates from a list.',
    args: { inputs: t.arg.stringList({ required: true }), form: t.arg({ type: DoiFormEnum }) },
    complexity: ({ inputs }) => costOfInputs(inputs),
    resolve: (_root, { inputs, form }) =>
      equivalenceClasses(inputs.map((input) => parseDoi(input, form ?? null))),
  }),
}));
