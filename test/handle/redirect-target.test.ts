// The target of a redirect, as it is sent in a Location header.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendToTarget, locationHeader } from '../../src/handle/location-header.ts';
import { testTable } from '../support/test-table.ts';

describe('a target', () => {
  testTable([
    'https://example.org',
    'https://example.org/',
    'http://EXAMPLE.org:80/a/../b',
    'HTTPS://example.org/%7euser?a=1&b=[2]#c',
    'ftp://example.org/file;type=a',
    "https://example.org/!$&'()*+,;=:@-._~",
    'https://example.org/100%',
  ])('with only characters of a URI is sent unchanged', (stored) => {
    expect(locationHeader(stored)).toBe(stored);
  });

  testTable([
    ['https://例え.jp/パス?q=é#frag', 'https://xn--r8jz45g.jp/%E3%83%91%E3%82%B9?q=%C3%A9#frag'],
    ['https://example.org/a b', 'https://example.org/a%20b'],
    [' https://example.org/a ', 'https://example.org/a'],
    ['https:example.org/a', 'https://example.org/a'],
    ['https:/example.org/a', 'https://example.org/a'],
    ['https://example.org/\r\nSet-Cookie: a=b', 'https://example.org/%0D%0ASet-Cookie:%20a=b'],
    ['https://example.org/a\tb', 'https://example.org/a%09b'],
    ['https://example.org/a|b^c{d}`', 'https://example.org/a%7Cb%5Ec%7Bd%7D%60'],
    ['https://example.org?a|b#c|d', 'https://example.org?a%7Cb#c%7Cd'],
    ['https://Example.org:443/../a%zz[é]', 'https://Example.org:443/../a%zz[%C3%A9]'],
    ['https://user@例え.jp:443?é', 'https://user@xn--r8jz45g.jp?%C3%A9'],
    ['https://example.org/"<>', 'https://example.org/%22%3C%3E'],
    ['https://example.org/\\evil.example', 'https://example.org/%5Cevil.example'],
    ['https://example.org/\ud800', 'https://example.org/%EF%BF%BD'],
    ['https://example.org/\u0000\u007f', 'https://example.org/%00%7F'],
    ['https://example.org/\u{1f600}', 'https://example.org/%F0%9F%98%80'],
  ])('with other characters is encoded', (stored, sent) => {
    expect(locationHeader(stored)).toBe(sent);
    expect(sent).toMatch(/^[\x21-\x7e]+$/);
  });

  testTable([
    ...['', 'example.org', '//example.org/', '/10.1000/1', '?a=b', 'javascript:alert(1)', 'vbscript:x'],
    'http://',
    ...['java\nscript:alert(1)', ' javascript:alert(1)', 'data:text/html,<script>alert(1)</script>'],
    ...['mailto:someone@example.org', 'file:///etc/passwd', 'blob:https://example.org/1'],
    'ws://example.org/',
    ...['sftp://example.org/', 'xhttps://example.org/', 'https://exa mple.org/', 'https://exam\tple.org/'],
    ...['https://exam|ple.org/', 'https://example.org\\@evil.example/', 'https:\\\\example.org/'],
    'https://example.org:99999/',
  ])('is an http, https or ftp URL with a valid host', (stored) => {
    expect(locationHeader(stored)).toBeNull();
  });

  testTable([
    [8_000, true],
    [8_001, false],
  ])('has at most 8,000 characters', (length, isTarget) => {
    const stored = 'https://example.org/'.padEnd(length, 'a');
    expect(locationHeader(stored)).toBe(isTarget ? stored : null);
  });

  test('is a URI, and a stored URI stays unchanged', () => {
    const URI = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(0x2ff).map((code) => String.fromCharCode(code)) }), (tail) => {
        const stored = `https://example.org/${tail}`;
        const target = locationHeader(stored) ?? '';
        expect(target).toMatch(URI);
        if (URI.test(stored)) expect(target).toBe(stored);
        // A single % stays, so a text with % cannot be decoded.
        if (!stored.includes('%')) expect(decodeURIComponent(target)).toBe(stored.trim().toWellFormed());
      }),
    );
  });
});

describe('a text appended to a target', () => {
  testTable([
    ['https://example.org/a', '?x=1', 'https://example.org/a?x=1'],
    ['https://example.org/a?x=1', '&y=2#z', 'https://example.org/a?x=1&y=2#z'],
    ['https://example.org/a', '/b c/é', 'https://example.org/a/b%20c/%C3%A9'],
    ['https://example.org/a', '\r\nSet-Cookie: a=b', 'https://example.org/a%0D%0ASet-Cookie:%20a=b'],
    ['https://example.org/a', '', 'https://example.org/a'],
    ['https://example.org', '/@evil.example', 'https://example.org/@evil.example'],
    ['https://example.org/', '/evil.example', 'https://example.org//evil.example'],
    ['HTTPS://Example.org/a', '?x', 'HTTPS://Example.org/a?x'],
  ])('is encoded like the target', (stored, appended, target) => {
    expect(appendToTarget(stored, appended)).toBe(target);
  });

  testTable([
    ['https://example.org', '.evil.example/'],
    ['https://example.org', '@evil.example/'],
    ['https://example.org', ':8443/'],
    ['https://example.org', ':secret@evil.example/'],
    ['https://example.org:80', '80/'],
    ['https://example.org', '\t.evil.example/'],
    ['https://example.org', '。evil.example'],
    ['https://example.org', ' x'],
    ['https://example.org', '\\@evil.example/'],
    ['https://example.org', '@example.org/'],
    ['https://example.org', ':secret@example.org/'],
    ['https://user:secret@example.org', '@example.org/'],
  ])('must not change the host, user or password', (stored, appended) => {
    expect(appendToTarget(stored, appended)).toBeNull();
  });
});
