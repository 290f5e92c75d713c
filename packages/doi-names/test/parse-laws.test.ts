// Laws that hold for every input: it is answered, a problem is where it is said to be, the answer is frozen.

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

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.oneof(utf16Unit, surrogate) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        '%',
        '%4',
        '%zz',
        '%00',
        '%C3',
        '%ED%A0%80',
        '%2F',
        '%3A',
        '%25',
        '/',
        ':',
        '?',
        '#',
        '&',
        '=',
        ',',
      ],
      ...[
        '<',
        '>',
        ' ',
        '\n',
        '\ufeff',
        '\u200b',
        '.',
        '10.',
        'doi:',
        'urn:doi:',
        'https://doi.org/',
        'doiRA/',
      ],
    ),
  },
);

/** Whether angle brackets around it are no part of it. */
function isEnclosable(text: string): boolean {
  return beginsForm(text) && insideOfPair({ text: `<${text}>`, start: 0 })?.text === text;
}

interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

const edits = fc.array(fc.record<Edit>({ at: fc.nat(120), removed: fc.nat(4), inserted: piece }), {
  maxLength: 4,
});

/** A valid input with up to four places cut out or written over. */
const mutated = fc.tuple(written, edits).map(([text, changes]) =>
  changes.reduce((changed, { at, removed, inserted }) => {
    const start = at % (changed.length + 1);
    return changed.slice(0, start) + inserted + changed.slice(start + removed);
  }, text),
);

const DOI_NAME = /^10(?:\.[0-9]+)+\/[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u;

function expectAnAnswer(input: string, form: DoiForm | null): void {
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
    // Nothing is mended: without triplets, what was read stands there as it is. A URN's colon is its slash.
    const typed = parsed.form === 'URN' ? name.slice(name.indexOf('/') + 1) : name;
    if (!parsed.decoded) expect(input).toContain(typed);
    if (parsed.decoded) expect(input).toContain('%');
    expect(parseDoi(name, 'NAME').name).toBe(name);
    if (form === 'NAME') expect(name).toBe(input);
  }
}

describe('every input is answered, with a DOI name or a problem inside it', () => {
  test('any text', () => {
    fc.assert(fc.property(anyText, anyForm, expectAnAnswer), { numRuns: 2000 });
  });

  test('valid inputs, damaged', () => {
    fc.assert(fc.property(mutated, anyForm, expectAnAnswer), { numRuns: 3000 });
  });

  test('valid inputs', () => {
    fc.assert(fc.property(written, anyForm, expectAnAnswer), { numRuns: 500 });
  });
});

test('an answer is frozen through and through', () => {
  const property = fc.property(fc.oneof(mutated, written), anyForm, (input, form) => {
    const parsed = parseDoi(input, form);
    const { problem, proxyParameters } = parsed;
    for (const part of [parsed, problem, proxyParameters, ...proxyParameters]) {
      if (!Object.isFrozen(part)) expect.fail(`not frozen: ${JSON.stringify(part)}`);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

describe('a fault that is put into a valid input', () => {
  // The URLs of the REST API and of Which RA need not survive a fault.
  const { API_URL, WHICH_RA_URL, ...others } = READABLE_ENCODINGS;
  const readable = Object.values(others);

  /** A written name, cut behind its dividing slash and somewhere between two characters or triplets. */
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
    NON_GRAPHIC_CHARACTER: [
      '\u200b',
      '\u00ad',
      '\u0007',
      '%07',
      '%C2%AD',
      '%E2%80%8B',
      '\ue000',
      '%F4%8F%BF%BF',
    ],
    UNPAIRED_SURROGATE: ['\ud800', '\udc00'],
  } as const;

  testTable(Object.entries(FAULTS))('%s is found where it was put', (code, faults) => {
    const property = fc.property(cut, fc.constantFrom(...faults), ([before, after], fault) => {
      // The stop keeps what follows from completing the fault.
      const text = `${before}${fault}.${after}`;
      expect(parseDoi(text).problem).toMatchObject({ code, position: before.length });
      fc.pre(isEnclosable(text));
      const framed = parseDoi(` \n\u200b<${text}>\u3000`).problem;
      expect(framed).toMatchObject({ code, position: before.length + 4 });
    });
    fc.assert(property, { numRuns: 400 });
  });
});

test('white space and brackets around an input change nothing but positions and what is quoted as it was typed', () => {
  const property = fc.property(mutated, anyForm, (text, form) => {
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
