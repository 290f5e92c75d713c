// The validation rules for @defer and @stream report the same errors as Yoga's plugin, which they replace.

import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { OverlappingFieldsCanBeMergedRule, parse, type ValidationRule, validate } from 'graphql';
import { expect, test } from 'vitest';
import { incrementalRules, servedSchema } from '../../../src/graphql/incremental/incremental-rules.ts';

function rulesOfPlugin(): ValidationRule[] {
  const rules: ValidationRule[] = [];
  const payload = { params: { rules: [] }, addValidationRule: (rule: ValidationRule) => rules.push(rule) };
  const { onValidate } = useDeferStream();
  onValidate?.(payload as unknown as Parameters<typeof onValidate>[0]);
  return rules.filter(({ name }) => name !== OverlappingFieldsCanBeMergedRule.name);
}

const doi = (fields: string): string => `query($l: String) { doi(input: "10.1000/182") { ${fields} } }`;

const documents: readonly [text: string, errors: number][] = [
  [doi('name ... @defer { uri }'), 0],
  [doi('... @defer(label: "a") { uri } ... @defer(label: "b") { name }'), 0],
  [doi('... @defer(label: "a") { uri } ... @defer(label: "a") { name }'), 1],
  [doi('... @defer(label: "a") { uri } ... @defer(label: "a") { name } ... @defer(label: "a") { url }'), 2],
  [doi('... @defer(label: "") { uri } ... @defer(label: "") { name }'), 1],
  [doi('... @defer(label: $l) { uri }'), 1],
  [doi('... @defer(label: null) { uri }'), 1],
  [doi('record { values @stream(label: "a") { index } } ... @defer(label: "a") { name }'), 1],
  [doi('record { values @stream(initialCount: 1) { index } }'), 0],
  [doi('record { values { index @stream } }'), 1],
  [doi('record @stream { handle }'), 1],
  [doi('name @stream(label: $l)'), 2],
  [doi('unknown @stream'), 0],
  ['{ dois(inputs: ["10.1000/182"]) @stream { name } }', 0],
  ['{ ...F @defer(label: "a") ...F @defer(label: "a") } fragment F on Query { __typename }', 1],
];

test.each(documents)('%s has %i errors, as with the plugin', (text, count) => {
  const errorsBy = (rules: readonly ValidationRule[]) =>
    validate(servedSchema, parse(text), rules).map((error) => error.toJSON());
  const errors = errorsBy(incrementalRules);
  expect(errors).toHaveLength(count);
  const inOrder = (list: readonly object[]) => list.map((error) => JSON.stringify(error)).sort();
  expect(inOrder(errors)).toEqual(inOrder(errorsBy(rulesOfPlugin())));
});
