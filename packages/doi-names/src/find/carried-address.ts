// Reads the addresses that mail gateways put around an address. They replace characters, also inside the name.

import type { RewrittenText } from './spaced-out.ts';

/** At most this many characters of such an address are read before and after a name. */
const MAX_BEFORE = 300;
const MAX_LENGTH = 800;

interface Carrier {
  readonly example: string;
  /** the text before the carried address, in lower case */
  readonly begins: string;
  /** the text that ends the carried address */
  readonly ends: RegExp;
  /** the decoded text, and the offset in `written` of each of its characters */
  decode(written: string, after: string): { readonly text: string; readonly offsets: readonly number[] };
}

/** Proofpoint URL Defense (its Technical Brief, and URLDefenseDecode.py). Version 1 is an ordinary query. */
const CARRIERS: readonly Carrier[] = [
  {
    example: 'https://urldefense.proofpoint.com/v2/url?u=https-3A__doi.org_10.1000_182&d=DwMF',
    begins: '/v2/url?u=',
    ends: /[&\s"'<>]/,
    decode: (written) =>
      replaced(written, /_|-[0-9A-F]{2}/g, (code) => (code === '_' ? '/' : `%${code.slice(1)}`)),
  },
  {
    // A `*` stands for a character that is written behind the address in Base64, `**A` for a run of two.
    example: 'https://urldefense.com/v3/__https://doi.org/10.1000/182__;!!Mih3wA!HV1abc$',
    begins: '/v3/__',
    ends: /__;|[\s"'<>]/,
    decode(written, after) {
      const characters = fromBase64(/^__;([\w-]*)!/.exec(after)?.[1] ?? '');
      let at = 0;
      return replaced(written, /\*\*[\w-]|\*/g, (mark) => {
        const length = mark.length === 1 ? 1 : 2 + ALPHABET.indexOf(mark[2] ?? '');
        at += length;
        return characters.slice(at - length, at) || mark;
      });
    },
  },
];

/** The address around the `1` at `at`; null if no mail gateway has rewritten it. Nothing before `floor` is read. */
export function carriedAddressAt(text: string, at: number, floor: number): RewrittenText | null {
  if (!/^[/_:AF]$/.test(text[at - 1] ?? '')) return null;
  const from = Math.max(floor, at - MAX_BEFORE);
  const before = text.slice(from, at).toLowerCase();
  const host = before.lastIndexOf('urldefense');
  if (host === -1) return null;
  for (const { begins, ends, decode } of CARRIERS) {
    const begin = before.indexOf(begins, host);
    if (begin === -1 || ends.test(before.slice(begin + begins.length))) continue;
    const start = from + begin + begins.length;
    const rest = text.slice(start, start + MAX_LENGTH);
    const length = rest.search(ends);
    const written = length === -1 ? rest : rest.slice(0, length);
    const decoded = decode(written, rest.slice(written.length));
    return {
      start,
      joined: decoded.text,
      sourceEnd: (count) => start + (decoded.offsets[count] ?? written.length),
    };
  }
  return null;
}

function replaced(written: string, pattern: RegExp, replace: (match: string) => string) {
  let text = '';
  const offsets: number[] = [];
  let copied = 0;
  const copy = (end: number) => {
    for (; copied < end; copied += 1) {
      offsets.push(copied);
      text += written[copied];
    }
  };
  for (const { 0: match, index } of written.matchAll(pattern)) {
    copy(index);
    const replacement = replace(match);
    text += replacement;
    for (let count = 0; count < replacement.length; count += 1) offsets.push(index);
    copied = index + match.length;
  }
  copy(written.length);
  return { text, offsets };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Only ASCII: a gateway replaces no other characters of a name. */
function fromBase64(encoded: string): string {
  let bits = 0;
  let count = 0;
  let text = '';
  for (const character of encoded) {
    bits = ((bits << 6) | ALPHABET.indexOf(character)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    text += String.fromCharCode((bits >> count) & 0xff);
  }
  return text;
}
