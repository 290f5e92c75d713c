// Reading input without failing: what is wrong is data.

import type { ParsedDoi } from '../doi/parse.ts';
import { parseDoi } from '../doi/parse.ts';
import { DOI_PROBLEM_CODES, type DoiProblem } from '../doi/problems.ts';
import type { ProxyParameter } from '../doi/recognise.ts';
import { builder, costOfInputs } from './builder.ts';
import { DoiType } from './doi.ts';
import { DoiFormEnum } from './doi-form.ts';

const DoiProblemCodeEnum = builder.enumType('DOIProblemCode', {
  description: 'What is wrong with an input. The list grows: clients need a default branch.',
  values: DOI_PROBLEM_CODES,
});

export const DoiProblemType = builder.objectRef<DoiProblem>('DOIProblem').implement({
  description: 'Why an input is no DOI name.',
  fields: (t) => ({
    code: t.expose('code', { type: DoiProblemCodeEnum }),
    message: t.exposeString('message', { description: 'For people: what is wrong, where, and what to do.' }),
    position: t.exposeInt('position', {
      nullable: true,
      description: 'UTF-16 offset into the input as given; null where nothing particular is at fault.',
    }),
  }),
});

const ProxyParameterType = builder.objectRef<ProxyParameter>('ProxyParameter').implement({
  description: 'One query parameter of a DOI proxy URL, decoded.',
  fields: (t) => ({
    name: t.exposeString('name'),
    value: t.exposeString('value', {
      nullable: true,
      description: 'Null for a bare flag such as `noredirect`.',
    }),
  }),
});

export const ParsedDoiType = builder.objectRef<ParsedDoi>('ParsedDOI').implement({
  description: 'What an input was read as. Either `doi` or `problem` is null.',
  fields: (t) => ({
    input: t.exposeString('input', { description: 'The input as given.' }),
    form: t.field({
      type: DoiFormEnum,
      nullable: true,
      description: 'The form that was found: `https://doi.org/urn:doi:10.123:456` is URN. Null if none was.',
      resolve: ({ form }) => form,
    }),
    doi: t.field({ type: DoiType, nullable: true, resolve: ({ name }) => name }),
    problem: t.field({ type: DoiProblemType, nullable: true, resolve: ({ problem }) => problem }),
    proxyParameters: t.field({
      type: [ProxyParameterType],
      description: 'The query of a DOI proxy URL, in order; empty for every other input.',
      resolve: ({ proxyParameters }) => proxyParameters,
    }),
    fragment: t.exposeString('fragment', {
      nullable: true,
      description: 'The fragment of a DOI proxy URL, raw and without `#`.',
    }),
  }),
});

builder.queryFields((t) => ({
  parseDoi: t.field({
    type: ParsedDoiType,
    description:
      'Reads one input. Never an error: `parseDoi(input: "10.1000/")` answers with the problem MISSING_SUFFIX.',
    args: { input: t.arg.string({ required: true }), form: t.arg({ type: DoiFormEnum }) },
    complexity: ({ input }) => costOfInputs([input]),
    resolve: (_root, { input, form }) => parseDoi(input, form ?? null),
  }),
  parseDois: t.field({
    type: [ParsedDoiType],
    description: 'Reads many inputs; their order and duplicates are kept.',
    args: { inputs: t.arg.stringList({ required: true }), form: t.arg({ type: DoiFormEnum }) },
    complexity: ({ inputs }) => costOfInputs(inputs),
    resolve: (_root, { inputs, form }) => inputs.map((input) => parseDoi(input, form ?? null)),
  }),
}));
