// Laws for every input: the parser returns a name or a problem, with the right position, and the result is frozen.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiNames, READABLE_ENCODINGS } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { DOI_ENCODINGS } from '../src/encoding-forms.ts';
import { parseDoi } from '../src/parse.ts';
import { quoted } from '../src/problem-messages.ts';
import { beginsForm, DOI_FORMS, type DoiForm, insideOfPair, withoutEdges } from '../src/recognise.ts';

const anyForm: fc.Arbitrary<DoiForm | null> = fc.constantFrom(null, ...DOI_FORMS);

const utf16Unit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));
const surrogate = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'binary-ascii' }),
  fc.string({ unit: fc.oneof(utf16Unit, surrogate, fc.constantFrom(...'10./%doi: ')) }),
);

const written = fc
  .tuple(doiNames(), fc.constantFrom(...Object.values(DOI_ENCODINGS)))
  .map(([name, { encode }]) => encode(name));

const TRIPLETS = '% %4 %zz %00 %C3 %ED%A0%80 %2F %3A %25'.split(' ');
const MARKS = [...'/:?#&=,<> \n.', '\ufeff', '\u200b'];
const BEGINNINGS = ['10.', 'doi:', 'urn:doi:', 'https://doi.org/', 'doiRA/'];

const insertion = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.oneof(utf16Unit, surrogate) },
  { weight: 6, arbitrary: fc.constantFrom(...TRIPLETS, ...MARKS, ...BEGINNINGS) },
);

/** Whether the parser removes angle brackets around the text. */
function isEnclosable(text: string): boolean {
  return beginsForm(text) && insideOfPair({ text: `<${text}>`, start: 0 })?.text === text;
}

interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

const edits = fc.array(fc.record<Edit>({ at: fc.nat(120), removed: fc.nat(4), inserted: insertion }), {
  maxLength: 4,
});

/** A valid input with up to four parts removed or replaced. */
const damaged = fc.tuple(written, edits).map(([text, changes]) =>
  changes.reduce((changed, { at, removed, inserted }) => {
    const start = at % (changed.length + 1);
    return changed.slice(0, start) + inserted + changed.slice(start + removed);
  }, text),
);

const DOI_NAME = /^10(?:\.[0-9]+)+\/[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u;

function expectNameOrProblem(input: string, form: DoiForm | null): void {
  const parsed = parseDoi(input, form);
  const { name, problem } = parsed;
  expect(parsed.input).toBe(input);
  if (name === null) {
    const { position, message } = problem;
    expect(message).not.toBe('');
    if (position !== null && !(position >= 0 && position < input.length)) {
      expect.fail(`position ${position} of ${problem.code} is not in ${JSON.stringify(input)}`);
    }
  } else {
    expect(problem).toBeNull();
    expect(name).toMatch(DOI_NAME);
    // Without triplets, the name stands in the input. The colon of a URN is its slash.
    const asWritten = parsed.form === 'URN' ? name.slice(name.indexOf('/') + 1) : name;
    if (!parsed.decoded) expect(input).toContain(asWritten);
    if (parsed.decoded) expect(input).toContain('%');
    expect(parseDoi(name, 'NAME').name).toBe(name);
    if (form === 'NAME') expect(name).toBe(input);
  }
}

describe('the parser returns a DOI name, or a problem with a position in the input', () => {
  test('for any text', () => {
    fc.assert(fc.property(anyText, anyForm, expectNameOrProblem), { numRuns: 2000 });
  });

  test('for a damaged valid input', () => {
    fc.assert(fc.property(damaged, anyForm, expectNameOrProblem), { numRuns: 3000 });
  });
});

test('every part of a result is frozen', () => {
  const property = fc.property(fc.oneof(damaged, written), anyForm, (input, form) => {
    const parsed = parseDoi(input, form);
    const { problem, proxyParameters } = parsed;
    for (const part of [parsed, problem, proxyParameters, ...proxyParameters]) {
      if (!Object.isFrozen(part)) expect.fail(`not frozen: ${JSON.stringify(part)}`);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

describe('a fault in a valid input', () => {
  // A fault in a URL of the REST API or of Which RA can change how its path is read.
  const { API_URL, WHICH_RA_URL, ...others } = READABLE_ENCODINGS;
  const readable = Object.values(others);

  /** A written name in two parts. The second part begins at a character or triplet of the suffix. */
  const cut = fc.tuple(doiNames(), fc.constantFrom(...readable), fc.nat()).map(([name, { encode }, nth]) => {
    const text = `${encode(name)}x`;
    const from = text.search(/10\.[0-9.]*(?:[/:]|%2F)./u) + text.slice(text.indexOf('10.')).search(/[^0-9.]/);
    const units = text.slice(from).match(/(?:%[89A-F][0-9A-F])+|%[0-9A-F]{2}|./gsu) ?? [];
    const before = text.slice(0, from) + units.slice(0, 1 + (nth % units.length)).join('');
    return [before, text.slice(before.length)] as const;
  });

  const FAULTS = {
    INVALID_PERCENT_ENCODING: ['%', '%4', '%zz', '%g0'],
    INVALID_UTF8: ['%FF', '%C3', '%E2%82', '%80', '%ED%A0%80', '%F4%90%80%80'],
    NON_GRAPHIC_CHARACTER: [...'\u200b\u00ad\u0007\ue000', '%07', '%C2%AD', '%E2%80%8B', '%F4%8F%BF%BF'],
    UNPAIRED_SURROGATE: ['\ud800', '\udc00'],
  } as const;

  testTable(Object.entries(FAULTS))('is reported at its position', (code, faults) => {
    const property = fc.property(cut, fc.constantFrom(...faults), ([before, after], fault) => {
      // Without the full stop, the next characters could complete the fault.
      const text = `${before}${fault}.${after}`;
      expect(parseDoi(text).problem).toMatchObject({ code, position: before.length });
      fc.pre(isEnclosable(text));
      const framed = parseDoi(` \n\u200b<${text}>\u3000`).problem;
      expect(framed).toMatchObject({ code, position: before.length + 4 });
    });
    fc.assert(property, { numRuns: 400 });
  });
});

test('white space and brackets around an input change only positions and quotations', () => {
  const property = fc.property(damaged, anyForm, (text, form) => {
    fc.pre(form !== 'NAME' && isEnclosable(text) && withoutEdges(text).text === text);
    const plain = parseDoi(text, form);
    const framed = parseDoi(`\t\u00a0<${text}>\r\n`, form);
    const { code, position = null, message = '' } = plain.problem ?? {};
    const asTyped = message.replace(quoted(text), () => quoted(`<${text}>`));
    const isAsTyped = (code === 'NOT_A_DOI' || code === 'NOT_IN_FORM') && framed.problem?.message === asTyped;
    expect({ ...framed, input: text }).toEqual({
      ...plain,
      problem: plain.problem && {
        ...plain.problem,
        message: isAsTyped ? asTyped : message,
        position: position === null ? null : position + 3,
      },
    });
  });
  fc.assert(property, { numRuns: 1000 });
});
