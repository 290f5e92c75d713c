// Laws for every DOI name: every written form is read back, and parsers of other formats read the same name.

import { Parser } from 'commonmark';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { doiNames, GRAPHIC_CODE_POINTS, longDoiNames } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import * as forms from '../src/encoding-forms.ts';
import { DOI_ENCODINGS, type DoiEncodingForm } from '../src/encoding-forms.ts';
import type { DoiName } from '../src/name.ts';
import { parseDoi } from '../src/parse.ts';
import type { DoiForm } from '../src/recognise.ts';

type Row = readonly [
  written: DoiEncodingForm,
  /** the form that the parser recognises; null if the form must be requested */
  recognised: DoiForm | null,
  /** the requested forms in which the parser reads the text */
  requested: readonly DoiForm[],
];

const ROWS: readonly Row[] = [
  ['NAME', null, ['NAME']],
  ['URI', 'URI', ['URI']],
  ['URL_RECOMMENDED', 'URL', ['URL']],
  ['URL_MANDATORY', 'URL', ['URL']],
  ['DX_URL', 'URL', ['URL']],
  ['URN', 'URN', ['URN']],
  ['URN_URL', 'URN', ['URN', 'URL']],
  ['INFO_URI', 'INFO_URI', ['INFO_URI']],
  ['HANDLE_URI', 'HANDLE_URI', ['HANDLE_URI']],
  ['API_URL', 'URL', ['URL']],
  ['WHICH_RA_URL', 'URL', ['URL']],
  ['WEB_FORM', 'WEB_FORM', ['WEB_FORM']],
  ['DISPLAY', 'URI', []],
];

/** The parser does not read back white space at an end. It does not read back a percent sign of the display form. */
function canHold(form: DoiEncodingForm, name: DoiName): boolean {
  if (form === 'DISPLAY' && name.includes('%')) return false;
  return (form !== 'WEB_FORM' && form !== 'DISPLAY') || name === name.trimEnd();
}

function expectToReadBack([writtenForm, recognised, requested]: Row, name: DoiName): void {
  if (!canHold(writtenForm, name)) return;
  const written = DOI_ENCODINGS[writtenForm].encode(name);
  const readings = [...(recognised === null ? [] : [null]), ...requested].map((form) =>
    parseDoi(written, form),
  );
  for (const { name: read, form, problem } of readings) {
    if (read === name && form === (recognised ?? 'NAME')) continue;
    expect.fail(
      `${writtenForm} ${JSON.stringify(written)} is read as ${JSON.stringify({ read, form, problem })}`,
    );
  }
}

describe('the parser reads back every written form, recognised or requested', () => {
  testTable(ROWS)('with any name', (...row) => {
    fc.assert(
      fc.property(doiNames(), (name) => expectToReadBack(row, name)),
      { numRuns: 500 },
    );
  });

  test('with a name of 100 kB', () => {
    const property = fc.property(longDoiNames(), (name) => {
      for (const row of ROWS) expectToReadBack(row, name);
    });
    fc.assert(property, { numRuns: 8, endOnFailure: true });
  });

  test('with every Graphic code point', () => {
    // Letters around the block, because white space at an end is lost in some forms.
    const blocks = Array.from({ length: Math.ceil(GRAPHIC_CODE_POINTS.length / 5000) }, (_, block) =>
      GRAPHIC_CODE_POINTS.slice(block * 5000, block * 5000 + 5000),
    );
    for (const block of blocks) {
      const parsed = parseDoi(
        `10.1000/x${block.map((codePoint) => String.fromCodePoint(codePoint)).join('')}x`,
        'NAME',
      );
      expect(parsed.problem).toBeNull();
      if (parsed.name) for (const row of ROWS) expectToReadBack(row, parsed.name);
    }
  });
});

describe('a URL', () => {
  testTable([
    ['recommended URL', forms.recommendedUrl, '/'],
    ['Old link (dx.doi.org)', forms.dxUrl, '/'],
    ['Which RA URL', forms.whichRaUrl, '/doiRA/'],
  ] as const)(
    'has the name in its path if the URL parser of the platform reads it, and the path is decoded once',
    (_, encode, path) => {
      const kept = (name: DoiName): void => {
        const { pathname, search, hash } = new URL(encode(name));
        expect(decodeURIComponent(pathname)).toBe(`${path}${name}`);
        expect(search + hash).toBe('');
      };
      fc.assert(fc.property(doiNames(), kept), { numRuns: 500 });
      fc.assert(fc.property(longDoiNames(), kept), { numRuns: 4, endOnFailure: true });
    },
  );

  test('a Which RA URL has no raw comma', () => {
    fc.assert(fc.property(doiNames(), (name) => !forms.whichRaUrl(name).includes(',')));
  });
});

test('a DOI URI has only characters of a URI, one slash and upper-case triplets', () => {
  const uri = /^doi:10(?:\.[0-9]+)+\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-F]{2})+$/;
  fc.assert(
    fc.property(doiNames(), (name) => uri.test(forms.uriForm(name))),
    { numRuns: 500 },
  );
});

describe('links', () => {
  /** The URL in a Markdown link has no parentheses. */
  const withoutParentheses = (url: string): string => url.replaceAll('(', '%28').replaceAll(')', '%29');

  test('CommonMark renders the Markdown as one link with URL and display form', () => {
    const parser = new Parser();
    const property = fc.property(doiNames(), (name) => {
      const paragraph = parser.parse(forms.markdownLink(name)).firstChild;
      const link = paragraph?.firstChild;
      expect([paragraph?.type, paragraph?.next, link?.type, link?.next]).toEqual([
        'paragraph',
        null,
        'link',
        null,
      ]);
      const text: string[] = [];
      for (let node = link?.firstChild; node; node = node.next) {
        expect(node.type).toBe('text');
        text.push(node.literal ?? '');
      }
      expect(text.join('')).toBe(forms.displayForm(name));

      // commonmark.js encodes characters that a URL may not hold. Here it must find none.
      const destination = link?.destination ?? '';
      expect(destination).toBe(withoutParentheses(forms.recommendedUrl(name)));
      // A browser reads the same address, apart from the parentheses, and the same name.
      const { href, pathname } = new URL(destination);
      expect(href).toBe(withoutParentheses(new URL(forms.recommendedUrl(name)).href));
      expect(decodeURIComponent(pathname)).toBe(`/${name}`);
    });
    fc.assert(property, { numRuns: 500 });
  });

  test('an HTML parser reads the HTML as one link whose text is its URL', () => {
    const property = fc.property(doiNames(), (name) => {
      const { childNodes } = parseFragment(forms.htmlLink(name));
      const link = childNodes[0] as DefaultTreeAdapterTypes.Element;
      const text = link.childNodes[0] as DefaultTreeAdapterTypes.TextNode;
      const url = forms.recommendedUrl(name);
      expect([childNodes.length, link.tagName, link.childNodes.length]).toEqual([1, 'a', 1]);
      expect(link.attrs).toEqual([{ name: 'href', value: url }]);
      expect(text.value).toBe(url);
    });
    fc.assert(property, { numRuns: 300 });
  });
});

test('UTF-8 bytes and code points decode to the name', () => {
  const property = fc.property(doiNames(), (name) => {
    expect(forms.utf8Hex(name)).toMatch(/^[0-9A-F]{2}(?: [0-9A-F]{2})+$/);
    expect(Buffer.from(forms.utf8Hex(name).replaceAll(' ', ''), 'hex').toString('utf8')).toBe(name);
    const codePoints = forms.codePoints(name).map((text) => {
      expect(text).toMatch(/^U\+(?:[1-9A-F][0-9A-F]{4,5}|[0-9A-F]{4})$/);
      return Number.parseInt(text.slice(2), 16);
    });
    expect(String.fromCodePoint(...codePoints)).toBe(name);
  });
  fc.assert(property);
});
