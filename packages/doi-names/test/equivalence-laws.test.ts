// Laws for any two DOI names.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiNames, nearbyDoiNames } from '../../../test/support/doi-names.ts';
import * as forms from '../src/encoding-forms.ts';
import { compareDois, equivalenceClasses } from '../src/equivalence.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { canonicalName } from '../src/name.ts';
import { type ParsedDoi, parseDoi } from '../src/parse.ts';

describe('equivalence', () => {
  const parsedNames = (): fc.Arbitrary<ParsedDoi> =>
    fc
      .tuple(
        fc.oneof(nearbyDoiNames(), doiNames()),
        fc.constantFrom(forms.uriForm, forms.urnForm, forms.recommendedUrl),
      )
      .map(([name, encode]) => parseDoi(encode(name)));
  const areEquivalent = (a: ParsedDoi, b: ParsedDoi): boolean | null =>
    compareDois(a, b, lookalikes).equivalent;

  test('has the same relation for both orders of two names', () => {
    const property = fc.property(parsedNames(), parsedNames(), (a, b) => {
      // The explanation depends on the order: it names the first and the second.
      expect({ ...compareDois(a, b, lookalikes), explanation: '' }).toEqual({
        ...compareDois(b, a, lookalikes),
        explanation: '',
      });
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test('holds if and only if the canonical names are the same', () => {
    const property = fc.property(parsedNames(), parsedNames(), (a, b) => {
      if (a.name === null || b.name === null) return expect.fail('a written name was not read');
      expect(areEquivalent(a, b)).toBe(canonicalName(a.name) === canonicalName(b.name));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test('puts each input into one class, with exactly the inputs that are equivalent', () => {
    const input = fc.oneof(
      { weight: 5, arbitrary: parsedNames() },
      { weight: 1, arbitrary: fc.constant(parseDoi('x')) },
    );
    const property = fc.property(fc.array(input, { maxLength: 12 }), (inputs) => {
      const { classes, unreadable } = equivalenceClasses(inputs);
      const classOf = new Map(classes.flatMap(({ members }, at) => members.map(({ index }) => [index, at])));
      const indexes = [...classOf.keys(), ...unreadable.map(({ index }) => index)];
      expect(indexes.sort((a, b) => a - b)).toEqual([...inputs.keys()]);
      for (const [i, a] of inputs.entries()) {
        for (const [j, b] of inputs.entries()) {
          expect(classOf.has(i) && classOf.get(i) === classOf.get(j)).toBe(areEquivalent(a, b) ?? false);
        }
      }
    });
    fc.assert(property, { numRuns: 100 });
  });

  test('the canonical name is a DOI name and its own canonical name', () => {
    const property = fc.property(doiNames(), (name) => {
      const canonical = canonicalName(name);
      expect(canonicalName(canonical)).toBe(canonical);
      expect(parseDoi(canonical, 'NAME').name).toBe(canonical);
    });
    fc.assert(property);
  });
});
