// What is read from a proxy URL: host, path, query, fragment.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';

function codeOf(input: string): string | undefined {
  return parseDoi(input).problem?.code;
}

function nameIn(input: string): string | null {
  return parseDoi(input).name;
}

describe('a URL', () => {
  testTable([
    'http://doi.org/10.1000/1',
    'https://doi.org/10.1000/1',
    '//doi.org/10.1000/1',
    'doi.org/10.1000/1',
    'HTTP://DX.DOI.ORG/10.1000/1',
    'www.doi.org/10.1000/1',
    'https://doi.org:443/10.1000/1',
    'doi.org:8080/10.1000/1',
    '//dx.doi.org:80/10.1000/1',
    'https://doi.org/api/handles/10.1000/1',
    'https://doi.org/doiRA/10.1000/1',
    'https://doi.org/ra/10.1000/1',
    'https://doi.org/doi:10.1000/1',
    'https://doi.org/DOI:10.1000/1',
    'https://doi.org/info:doi/10.1000/1',
    'https://doi.org/api/handles/doi:10.1000/1',
    'https://doi.org/doiRA/info:doi/10.1000/1',
    'https://doi.org//10.1000/1',
    'https://doi.org///doi:10.1000/1',
    'https://doi.org//api///handles//10.1000/1',
    'https://doi.org/DOIRA//10.1000/1',
    'doi:https://doi.org/10.1000/1',
    'DOI: http://dx.doi.org/10.1000/1',
    'doi:doi.org/10.1000/1',
    'doi: //doi.org/10.1000/1',
  ])('%s is read as URL', (input) => {
    expect(parseDoi(input)).toMatchObject({ name: '10.1000/1', form: 'URL', problem: null });
  });

  testTable([
    ['https://hdl.handle.net/10.1000/1', 'HANDLE_URI'],
    ['hdl.handle.net:8000/10.1000/1', 'HANDLE_URI'],
    ['https://hdl.handle.net/api/handles/10.1000/1', 'HANDLE_URI'],
    ['https://hdl.handle.net/hdl:10.1000/1', 'HANDLE_URI'],
    ['https://doi.org/hdl:10.1000/1', 'HANDLE_URI'],
    ['https://doi.org/info:hdl/10.1000/1', 'HANDLE_URI'],
    ['https://doi.org/api/handles//INFO:HDL/10.1000/1', 'HANDLE_URI'],
    ['https://hdl-handle-net.proxy.example.edu/10.1000/1', 'HANDLE_URI'],
    ['doi:https://hdl.handle.net/10.1000/1', 'HANDLE_URI'],
    ['https://doi.org/urn:hdl:10.1000:1', 'URN'],
    ['https://doi.org/api/handles/HDL:10.1000/1', 'HANDLE_URI'],
    ['https://hdl.handle.net/urn:doi:10.1000:1', 'URN'],
    ['https://doi.org/doiRA/urn:doi:10.1000:1', 'URN'],
    // `doi:` and `info:doi/` leave it URL, hdl.handle.net is otherwise HANDLE_URI.
    ['https://hdl.handle.net/doi:10.1000/1', 'URL'],
    ['https://hdl.handle.net/info:doi/10.1000/1', 'URL'],
  ])('%s is read as %s', (input, form) => {
    expect(parseDoi(input)).toMatchObject({ name: '10.1000/1', form, problem: null });
  });

  testTable([
    'https://example.org/10.1000/1',
    'https://notdoi.org/10.1000/1',
    'https://doi.orgx/10.1000/1',
    'https://doi.org./10.1000/1',
    'https://user@doi.org/10.1000/1',
    'https://doi.org:port/10.1000/1',
    'https://doi.org:80:80/10.1000/1',
    'ftp://doi.org/10.1000/1',
    'https:/doi.org/10.1000/1',
    '///doi.org/10.1000/1',
    'https://doi.org',
    'https://doi.org/',
    'https://doi.org/?10.1000/1',
    'https://doi.org#10.1000/1',
  ])('%s is NOT_A_DOI', (input) => {
    expect(codeOf(input)).toBe('NOT_A_DOI');
  });

  testTable([
    'https://doi-org.ezproxy.example.edu/10.1000/1',
    'http://dx-doi-org.proxy.example.ac.uk:2048/10.1000/1',
    'HTTPS://WWW-DOI-ORG.LIB.EXAMPLE/10.1000/1',
    'doi.org.proxy.example.edu/10.1000/1',
    '//dx.doi.org.proxy-1.example.edu//10.1000/1?x=1#y',
    'https://www.doi.org.example/doi:10.1000/1',
  ])('with the host that a library’s proxy makes is read: %s', (input) => {
    expect(parseDoi(input)).toMatchObject({ name: '10.1000/1', form: 'URL', problem: null });
  });

  testTable([
    'https://doi-org/10.1000/1',
    'https://doi-org../10.1000/1',
    'https://dx.doi-org.example.edu/10.1000/1',
    'https://dx-doi.org.example.edu/10.1000/1',
    'https://evildoi-org.example.edu/10.1000/1',
    'https://evil.doi.org.example.edu/10.1000/1',
    'https://doi-organic.example.edu/10.1000/1',
    'https://user@doi-org.example.edu/10.1000/1',
    'https://doi.org@evil.example/10.1000/1',
    'https://doi.org:80@evil.example/10.1000/1',
    'https://doi.org.example.edu.:443/10.1000/1',
    `https://doi.org.${'a'.repeat(64)}.edu/10.1000/1`,
    'https://login.example.edu/login?url=https://doi.org/10.1000/1',
  ])('with a host that only resembles one is not: %s', (input) => {
    expect(codeOf(input)).toBe('NOT_A_DOI');
  });

  test('only slashes between host and name count as one', () => {
    expect(nameIn('https://doi.org//10.1000//1')).toBe('10.1000//1');
    expect(codeOf('https://doi.org/doi:/10.1000/1')).toBe('NOT_A_DOI');
    expect(parseDoi('https://doi.org//ra//10.1000/%zz').problem).toMatchObject({ position: 29 });
  });

  test('dot segments and doubled slashes stay', () => {
    for (const name of ['10.1000/../x', '10.1000/./x', '10.1000/a/..', '10.1000//x', '10.1000/a/../../..']) {
      expect(nameIn(`https://doi.org/${name}`)).toBe(name);
      expect(nameIn(`https://doi.org/api/handles/${name}`)).toBe(name);
    }
  });

  test('a backslash is not a slash, a space may stand raw', () => {
    expect(nameIn('https://doi.org/10.1000/a\\b c')).toBe('10.1000/a\\b c');
  });
});

describe('the query and fragment of a URL', () => {
  test('parameters keep their order and repetitions, decoded, a bare flag with null', () => {
    const query = 'type=URL&noredirect&type=EMAIL&index=1&urlappend=%3Fa%3Db%26c&empty=&%6cocatt=a=b';
    expect(parseDoi(`https://doi.org/10.1000/1?${query}`).proxyParameters).toEqual([
      { name: 'type', value: 'URL' },
      { name: 'noredirect', value: null },
      { name: 'type', value: 'EMAIL' },
      { name: 'index', value: '1' },
      { name: 'urlappend', value: '?a=b&c' },
      { name: 'empty', value: '' },
      { name: 'locatt', value: 'a=b' },
    ]);
  });

  test('a plus sign stays, a malformed triplet too', () => {
    expect(parseDoi('https://doi.org/10.1000/1?a+b=c+d&x=100%&y=%zz').proxyParameters).toEqual([
      { name: 'a+b', value: 'c+d' },
      { name: 'x', value: '100%' },
      { name: 'y', value: '%zz' },
    ]);
  });

  test('what is empty is none, a name that is empty is one', () => {
    expect(parseDoi('https://doi.org/10.1000/1?&a&&=b&').proxyParameters).toEqual([
      { name: 'a', value: null },
      { name: '', value: 'b' },
    ]);
  });

  testTable(['https://doi.org/10.1000/1', 'https://doi.org/10.1000/1?', '10.1000/1'])('none: %s', (input) => {
    expect(parseDoi(input).proxyParameters).toEqual([]);
  });

  test('the fragment is raw, without its mark; the first # begins it', () => {
    expect(parseDoi('https://doi.org/10.1000/1#a%20b?c#d').fragment).toBe('a%20b?c#d');
    expect(parseDoi('https://doi.org/10.1000/1#').fragment).toBe('');
    expect(parseDoi('https://doi.org/10.1000/1').fragment).toBeNull();
  });

  test('a question mark behind # begins no query, one before it does', () => {
    expect(parseDoi('https://doi.org/10.1000/1#?a=b').proxyParameters).toEqual([]);
    expect(parseDoi('https://doi.org/10.1000/1?a=b?c#d')).toMatchObject({
      name: '10.1000/1',
      proxyParameters: [{ name: 'a', value: 'b?c' }],
      fragment: 'd',
    });
  });

  test('URNs and handles in a URL have them too', () => {
    for (const path of ['urn:doi:10.1000:1', 'hdl:10.1000/1', 'doi:10.1000/1', 'api/handles/10.1000/1']) {
      expect(parseDoi(`https://doi.org/${path}?cert#top`)).toMatchObject({
        name: '10.1000/1',
        proxyParameters: [{ name: 'cert', value: null }],
        fragment: 'top',
      });
    }
  });

  test('they are reported beside a problem', () => {
    expect(parseDoi('https://doi.org/abcde?auth#top')).toMatchObject({
      problem: { code: 'SHORT_DOI' },
      proxyParameters: [{ name: 'auth', value: null }],
      fragment: 'top',
    });
  });
});

describe('a Which RA URL', () => {
  testTable(['doiRA', 'ra', 'doira'])('/%s/ takes one name, commas in it encoded', (face) => {
    expect(nameIn(`https://doi.org/${face}/10.1000/a%2Cb`)).toBe('10.1000/a,b');
  });

  testTable(['doiRA', 'ra'])('several names after /%s/ are no DOI name', (face) => {
    const input = `https://doi.org/${face}/10.1000/a,10.1000/b`;
    expect(parseDoi(input).problem).toMatchObject({ code: 'NOT_A_DOI', position: input.indexOf(',') });
    expect(codeOf(`https://doi.org/${face}/urn:doi:10.1000:a,10.1000/b`)).toBe('NOT_A_DOI');
  });

  test('a comma elsewhere divides nothing', () => {
    expect(nameIn('https://doi.org/10.1000/a,b')).toBe('10.1000/a,b');
    expect(nameIn('https://doi.org/api/handles/10.1000/a,b')).toBe('10.1000/a,b');
    expect(nameIn('https://doi.org/doiRA/10.1000/a?type=a,b#c,d')).toBe('10.1000/a');
  });
});
