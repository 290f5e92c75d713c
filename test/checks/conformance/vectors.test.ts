// The cases fit their schema, and this project has the scores of docs/conformance.md.

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { OURS } from '../../../checks/conformance/libraries/libraries.ts';
import { ours } from '../../../checks/conformance/libraries/ours.ts';
import { isRight } from '../../../checks/conformance/run/is-right.ts';
import { scoreTable } from '../../../checks/conformance/run/report.ts';
import { type CaseRequest, count, play } from '../../../checks/conformance/run/score.ts';
import {
  type Case,
  GROUPS,
  type Outputs,
  readVectors,
  TASKS,
  type Task,
} from '../../../checks/conformance/run/vectors.ts';

const textOf = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const played = await play((request) => ours(request as CaseRequest & { readonly input: never }));

describe('the vectors', () => {
  test('are valid by their schema', () => {
    const validate = new Ajv2020({
      allErrors: true,
      strict: true,
      strictRequired: false,
      strictTypes: false,
    }).compile(JSON.parse(textOf('checks/conformance/vectors.schema.json')));
    for (const task of TASKS) {
      validate(readVectors(task));
      expect(validate.errors, task).toBeNull();
    }
  });

  test('have unique ids, which begin with their task', () => {
    const ids = TASKS.flatMap((task) =>
      readVectors(task).cases.map(({ id }) => {
        expect(id).toMatch(new RegExp(`^${task}-`));
        return id;
      }),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('README.md has the number of cases by group and task', () => {
  for (const group of GROUPS) {
    const numbers = TASKS.map((task) => `${task} ${count(played, task, [group]).of}`);
    const cell = numbers.filter((text) => !text.endsWith(' 0')).join(', ');
    expect(textOf('checks/conformance/README.md')).toContain(`| \`${group}\` | ${cell} |`);
  }
});

describe('this project', () => {
  test('is right in all cases', () => {
    const wrong = played.filter(({ outcome }) => outcome !== 'right').map((each) => each.case.input);
    expect(wrong).toEqual([]);
  });

  test('has the scores of docs/conformance.md', () => {
    const [, , row = ''] = scoreTable([{ library: OURS, version: '', played }]).split('\n');
    expect(textOf('docs/conformance.md').split('\n')).toContain(row);
  });
});

describe('an output is right', () => {
  const caseOf = <T extends Task>(task: T, expected: Outputs[T]): Case<T> =>
    ({ ...readVectors(task).cases[0], expected }) as Case<T>;

  test('if it is another spelling of the name, except for the case of letters outside ASCII', () => {
    const testCase = caseOf('parse', { name: '10.1000/Aé' });
    expect(isRight('parse', testCase, { name: '10.1000/aé' })).toBe(true);
    for (const name of ['10.1000/AÉ', '10.1000/Ae\u0301', '', null, 7, undefined])
      expect(isRight('parse', testCase, { name })).toBe(false);
  });

  test('if a browser reads the name from the URL, and the URL has no character that the case excludes', () => {
    const testCase = {
      ...caseOf('encode', { text: 'https://doi.org/10.1000/a%23%3Cb' }),
      accept: { name: '10.1000/a#<b', without: '#' },
    };
    const isRightUrl = (text: unknown): boolean => isRight('encode', testCase, { text });
    for (const text of ['https://doi.org/10.1000/a%23<b', 'http://dx.doi.org/10.1000%2Fa%23%3cb'])
      expect(isRightUrl(text), text).toBe(true);
    for (const text of [
      ...['https://doi.org/10.1000/a#<b', 'https://doi.org/10.1000/a%23%3Cb?', '10.1000/a%23%3Cb', null],
      ...[
        'https://doi.org/10.1000/a%2523%3Cb',
        'https://example.org/10.1000/a%23%3Cb',
        'https://doi.org/%FF',
      ],
    ])
      expect(isRightUrl(text), String(text)).toBe(false);
  });

  test('if it has all names in order, and no other name', () => {
    const testCase = caseOf('find', { names: ['10.1000/a', '10.1000/b'] });
    expect(isRight('find', testCase, { names: ['10.1000/A', '10.1000/b'] })).toBe(true);
    for (const names of [['10.1000/b', '10.1000/a'], ['10.1000/a'], ['10.1000/a', '10.1000/b', ''], null])
      expect(isRight('find', testCase, { names })).toBe(false);
  });

  test('if it contains the expected warning, or has no warning where no warning is expected', () => {
    const warning = { code: 'DASH', position: 9, repaired: null };
    const testCase = caseOf('warnings', { warnings: [warning] });
    expect(isRight('warnings', testCase, { warnings: [{ ...warning, code: 'MARKUP' }, warning] })).toBe(true);
    expect(isRight('warnings', testCase, { warnings: [{ ...warning, position: 8 }, null] })).toBe(false);
    expect(isRight('warnings', caseOf('warnings', { warnings: [] }), { warnings: [warning] })).toBe(false);
  });

  test('only if it is an object with the result of the task', () => {
    const testCase = caseOf('equivalence', { equivalent: null });
    expect(isRight('equivalence', testCase, { equivalent: null })).toBe(true);
    for (const output of [{}, null, 'x', []]) expect(isRight('equivalence', testCase, output)).toBe(false);
  });
});
