// Laws for every DOI name: every written form is read back, and parsers of other formats read the same name.

import { Parser } from 'commonmark';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import { doiNames, GRAPHIC_CODE_POINTS, longDoiNames } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import * as forms from '../src/encoding-forms.ts';
import type { DoiName } from '../src/name.ts';
import { parseDoi } from '../src/parse.ts';
import type { DoiForm } from '../src/recognise.ts';

interface WrittenForm {
  readonly label: string;
  readonly encode: (name: DoiName) => string;
  /** the form that the parser recognises; null if the form must be requested */
  readonly recognised: DoiForm | null;
  /** the requested forms in which the parser reads it */
  readonly requested: readonly DoiForm[];
  /** names that this form cannot hold */
  readonly unless?: (name: DoiName) => boolean;
}

const endsInWhiteSpace = (name: string): boolean => name !== name.trimEnd();

const WRITTEN_FORMS: readonly WrittenForm[] = [
  { label: 'NAME', encode: (name) => name, recognised: null, requested: ['NAME'] },
  { label: 'URI', encode: forms.uriForm, recognised: 'URI', requested: ['URI'] },
  { label: 'recommended URL', encode: forms.recommendedUrl, recognised: 'URL', requested: ['URL'] },
  { label: 'mandatory URL', encode: forms.mandatoryUrl, recognised: 'URL', requested: ['URL'] },
  { label: 'Old link (dx.doi.org)', encode: forms.dxUrl, recognised: 'URL', requested: ['URL'] },
  { label: 'URN', encode: forms.urnForm, recognised: 'URN', requested: ['URN'] },
  { label: 'URN as URL', encode: forms.urnUrl, recognised: 'URN', requested: ['URN', 'URL'] },
  { label: 'info URI', encode: forms.infoUri, recognised: 'INFO_URI', requested: ['INFO_URI'] },
  { label: 'handle URI', encode: forms.handleUri, recognised: 'HANDLE_URI', requested: ['HANDLE_URI'] },
  { label: 'REST API URL', encode: forms.apiUrl, recognised: 'URL', requested: ['URL'] },
  { label: 'Which RA URL', encode: forms.whichRaUrl, recognised: 'URL', requested: ['URL'] },
  {
    label: 'web form',
    encode: forms.webForm,
    recognised: 'WEB_FORM',
    requested: ['WEB_FORM'],
    unless: endsInWhiteSpace,
  },
  {
    label: 'display form',
    encode: forms.displayForm,
    recognised: 'URI',
    requested: [],
    unless: (name) => name.includes('%') || endsInWhiteSpace(name),
  },
];

function expectToReadBack(
  { label, encode, recognised, requested, unless }: WrittenForm,
  name: DoiName,
): void {
  if (unless?.(name)) return;
  const written = encode(name);
  const readings = [...(recognised === null ? [] : [null]), ...requested].map((form) =>
    parseDoi(written, form),
  );
  for (const { name: read, form, problem } of readings) {
    if (read !== name || form !== (recognised ?? 'NAME')) {
      expect.fail(
        `${label} ${JSON.stringify(written)} is read as ${JSON.stringify({ read, form, problem })}`,
      );
    }
  }
}

describe('a written form is read back, recognised or requested', () => {
  testTable(WRITTEN_FORMS)('with any name', (written) => {
    fc.assert(
      fc.property(doiNames(), (name) => expectToReadBack(written, name)),
      { numRuns: 500 },
    );
  });

  test('with a name of 100 kB', () => {
    const property = fc.property(longDoiNames(), (name) => {
      for (const written of WRITTEN_FORMS) expectToReadBack(written, name);
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
      if (parsed.name) for (const written of WRITTEN_FORMS) expectToReadBack(written, parsed.name);
    }
  });
});

describe('a URL', () => {
  testTable([
    ['recommended URL', forms.recommendedUrl, '/'],
    ['Old link (dx.doi.org)', forms.dxUrl, '/'],
    ['Which RA URL', forms.whichRaUrl, '/doiRA/'],
  ] as const)(
    'holds the name in its path, decoded once, for the URL parser of the platform',
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
