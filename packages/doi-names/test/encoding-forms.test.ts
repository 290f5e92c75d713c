// What each written form encodes, and what becomes of dot segments.

import { describe, expect, test } from 'vitest';
import { doiName, READABLE_ENCODINGS } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import * as forms from '../src/encoding-forms.ts';
import { DOI_ENCODINGS, proxyQuery } from '../src/encoding-forms.ts';
import type { DoiName, HandleName } from '../src/name.ts';
import { toHandleName } from '../src/name.ts';

const PRINTABLE = Array.from({ length: 0x5f }, (_, index) => String.fromCharCode(0x20 + index));

const MANDATORY = ' "#%?';
const RECOMMENDED = ' "#%+<>?[\\]^`{|}';
const URI_BUT_SLASH = ' "#%<>?[\\]^`{|}';

describe('the characters of a suffix that a form encodes', () => {
  testTable<[form: string, encode: (name: DoiName) => string, encoded: string]>([
    ['URL, mandatory', forms.mandatoryUrl, MANDATORY],
    ['URL, recommended', forms.recommendedUrl, RECOMMENDED],
    ['Old link (dx.doi.org)', forms.dxUrl, RECOMMENDED],
    ['Which RA', forms.whichRaUrl, `${RECOMMENDED},`],
    ['DOI URI', forms.uriForm, `${URI_BUT_SLASH}/`],
    ['REST API URL', forms.apiUrl, `${URI_BUT_SLASH}/`],
    ['URN', forms.urnForm, `${RECOMMENDED}/`],
    ['URN as URL', forms.urnUrl, `${RECOMMENDED}/`],
    ['info URI', forms.infoUri, URI_BUT_SLASH],
    ['handle URI', forms.handleUri, URI_BUT_SLASH],
    ['path sent to a proxy', forms.handlePath, URI_BUT_SLASH],
    ['path sent to Which RA', forms.whichRaPath, `${RECOMMENDED},`],
    ['web form', forms.webForm, '%'],
    ['display form', forms.displayForm, ''],
  ])('every row', (_, encode, encoded) => {
    const expected = (character: string): string =>
      encoded.includes(character)
        ? `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
        : character;
    for (const character of PRINTABLE) {
      const written = encode(doiName(`10.1000/x${character}x`));
      expect(written.slice(written.indexOf('x', written.lastIndexOf('10.1000')))).toBe(
        `x${expected(character)}x`,
      );
    }
  });

  test('the bytes of what is not ASCII are encoded in all but the web and display forms', () => {
    const name = doiName('10.1000/é\u3000😀');
    const { WEB_FORM, ...encoding } = READABLE_ENCODINGS;
    const { NAME, DISPLAY } = DOI_ENCODINGS;
    for (const { encode } of Object.values(encoding))
      expect(encode(name)).toContain('%C3%A9%E3%80%80%F0%9F%98%80');
    for (const { encode } of [NAME, DISPLAY, WEB_FORM]) expect(encode(name)).toContain('é\u3000😀');
  });
});

describe('dot segments', () => {
  testTable([
    ['10.1000/.', '10.1000%2F.'],
    ['10.1000/..', '10.1000%2F..'],
    ['10.1000/./', '10.1000/.%2F'],
    ['10.1000/../', '10.1000/..%2F'],
    ['10.1000/./x', '10.1000/.%2Fx'],
    ['10.1000/../../x', '10.1000/..%2F..%2Fx'],
    ['10.1000/a/./..', '10.1000/a/.%2F..'],
    ['10.1000/a/.//..', '10.1000/a/.%2F%2F..'],
    ['10.1000//..', '10.1000/%2F..'],
    ['10.1000/...', '10.1000/...'],
    ['10.1000/.a/b./..c/', '10.1000/.a/b./..c/'],
  ])('%s is guarded as %s', (text, path) => {
    const name = doiName(text);
    expect(forms.recommendedUrl(name)).toBe(`https://doi.org/${path}`);
    expect(forms.dxUrl(name)).toBe(`http://dx.doi.org/${path}`);
    expect(forms.whichRaUrl(name)).toBe(`https://doi.org/doiRA/${path}`);
    expect(forms.handlePath(name)).toBe(path);
    expect(forms.whichRaPath(name)).toBe(path);
  });

  test('the mandatory URL and the REST API URL follow their documents to the letter', () => {
    const name = doiName('10.1000/../a/..');
    expect(forms.mandatoryUrl(name)).toBe('https://doi.org/10.1000/../a/..');
    expect(forms.apiUrl(name)).toBe('https://doi.org/api/handles/10.1000/..%2Fa%2F..');
  });

  // A handle name may begin with one, and must not climb out of /api/handles/.
  testTable([
    ['0.NA/../x', '0.NA/..%2Fx'],
    ['../x', '..%2Fx'],
    ['./x', '.%2Fx'],
    ['../../healthz', '..%2F..%2Fhealthz'],
    ['../10.1000/1', '..%2F10.1000/1'],
  ])('the handle name %s is sent as %s', (text, path) => {
    const name = toHandleName(text) as HandleName;
    expect(forms.handlePath(name)).toBe(path);
    expect(forms.whichRaPath(name)).toBe(path);
    expect(new URL(`https://doi.org/api/handles/${forms.handlePath(name)}`).pathname).toBe(
      `/api/handles/${path}`,
    );
  });
});

describe('links', () => {
  test('HTML has & and quotation marks escaped', () => {
    const url = 'https://doi.org/10.1000/a&amp;b&#39;c%22%3C%3E';
    expect(forms.htmlLink(doiName('10.1000/a&b\'c"<>'))).toBe(`<a href="${url}">${url}</a>`);
  });

  test('Markdown has all ASCII punctuation of its text escaped, and & and parentheses of its URL', () => {
    expect(forms.markdownLink(doiName('10.1000/(a_b)&amp;'))).toBe(
      '[doi\\:10\\.1000\\/\\(a\\_b\\)\\&amp\\;](https://doi.org/10.1000/%28a_b%29&amp;amp;)',
    );
  });
});

describe('proxy URL parameters', () => {
  test('stand in a fixed order', () => {
    const all = {
      nols: true,
      showUrls: true,
      country: 'gb',
      locatt: ['a:1', 'b:2'],
      urlAppend: '/x',
      types: ['URL', 'EMAIL'],
      indexes: [3, 1],
      cert: true,
      auth: true,
      ignoreAliases: true,
      noRedirect: true,
    };
    expect(proxyQuery(all)).toBe(
      '?noredirect&ignore_aliases&auth&cert&index=3&index=1&type=URL&type=EMAIL' +
        '&urlappend=%2Fx&locatt=a%3A1&locatt=b%3A2&country=gb&action=showurls&nols=y',
    );
  });

  test('have their values encoded', () => {
    expect(proxyQuery({ types: ["#HS_SITE&=+ é'()*"] })).toBe("?type=%23HS_SITE%26%3D%2B%20%C3%A9'()*");
  });

  test('that are off, null or empty lists leave no trace; empty texts do', () => {
    expect(proxyQuery({ auth: false, cert: null, indexes: [], types: null, country: null })).toBe('');
    expect(proxyQuery({ types: [''], urlAppend: '' })).toBe('?type=&urlappend=');
  });
});

test('the table of encodings has the forms of the contract, in its order, each with label and source', () => {
  expect(Object.keys(DOI_ENCODINGS).join(' ')).toBe(
    'NAME DISPLAY URI URL_RECOMMENDED URL_MANDATORY DX_URL URN URN_URL INFO_URI HANDLE_URI API_URL ' +
      'WHICH_RA_URL WEB_FORM HTML MARKDOWN UTF8_HEX CODE_POINTS',
  );
  for (const { label, sourceDocument } of Object.values(DOI_ENCODINGS)) {
    expect([label, sourceDocument]).not.toContain('');
  }
});
