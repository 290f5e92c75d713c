// The characters that each form encodes, dot segments, and the parameters of proxy URLs.

import { describe, expect, test } from 'vitest';
import { doiName } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import * as forms from '../src/encoding-forms.ts';
import { DOI_ENCODINGS, proxyQuery } from '../src/encoding-forms.ts';
import type { DoiName, HandleName } from '../src/name.ts';
import { toHandleName } from '../src/name.ts';

const PRINTABLE = Array.from({ length: 0x5f }, (_, index) => String.fromCharCode(0x20 + index));

const MANDATORY = ' "#%?';
const RECOMMENDED = ' "#%+<>?[\\]^`{|}';
const URI_BUT_SLASH = ' "#%<>?[\\]^`{|}';

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
])('each form encodes the characters of its document and no others', (_, encode, encoded) => {
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
  ])('are encoded so that no URL parser removes them', (text, path) => {
    const name = doiName(text);
    expect(forms.recommendedUrl(name)).toBe(`https://doi.org/${path}`);
    expect(forms.dxUrl(name)).toBe(`http://dx.doi.org/${path}`);
    expect(forms.whichRaUrl(name)).toBe(`https://doi.org/doiRA/${path}`);
    expect(forms.handlePath(name)).toBe(path);
    expect(forms.whichRaPath(name)).toBe(path);
  });

  // A handle name may begin with a dot segment.
  testTable([
    ['0.NA/../x', '0.NA/..%2Fx'],
    ['../x', '..%2Fx'],
    ['./x', '.%2Fx'],
    ['../../healthz', '..%2F..%2Fhealthz'],
    ['../10.1000/1', '..%2F10.1000/1'],
  ])('of a handle name do not leave the path of the API', (text, path) => {
    const name = toHandleName(text) as HandleName;
    expect(forms.handlePath(name)).toBe(path);
    expect(forms.whichRaPath(name)).toBe(path);
    expect(new URL(`https://doi.org/api/handles/${forms.handlePath(name)}`).pathname).toBe(
      `/api/handles/${path}`,
    );
  });
});

describe('proxy URL parameters', () => {
  test('have a fixed order', () => {
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

  test('have encoded values', () => {
    expect(proxyQuery({ types: ["#HS_SITE&=+ é'()*"] })).toBe("?type=%23HS_SITE%26%3D%2B%20%C3%A9'()*");
  });

  test('are left out if they are false, null or an empty list, but not if they are an empty text', () => {
    expect(proxyQuery({ auth: false, cert: null, indexes: [], types: null, country: null })).toBe('');
    expect(proxyQuery({ types: [''], urlAppend: '' })).toBe('?type=&urlappend=');
  });
});

test('each encoding has a label and a source document', () => {
  for (const { label, sourceDocument } of Object.values(DOI_ENCODINGS)) {
    expect([label, sourceDocument]).not.toContain('');
  }
});
