// Bytes of a record → text. Files of older spreadsheets are Windows-1252. Bytes that are not UTF-8 are taken for that
// where the name itself is ASCII: then only the other cells can be wrong.

import { isUtf8 } from 'node:buffer';

export const ENCODINGS = ['utf-8', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The bytes from 80 to 9F; all others are those of Latin-1. TextDecoder of Node 20 takes these for Latin-1 too. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

function ofWindows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  return text.replaceAll(
    /[\x80-\x9F]/g,
    (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] as string,
  );
}

export interface Decoded {
  readonly text: string;
  /** the bytes are not UTF-8, and the caller did not say what they are */
  readonly isGuessed: boolean;
}

/** Null where the bytes are not in the encoding. @param encoding left out: UTF-8, else Windows-1252 as a guess */
export function decoded(bytes: Buffer, encoding: Encoding | undefined): Decoded | null {
  if (encoding === 'windows-1252') return { text: ofWindows1252(bytes), isGuessed: false };
  if (isUtf8(bytes)) return { text: bytes.toString(), isGuessed: false };
  return encoding === 'utf-8' ? null : { text: ofWindows1252(bytes), isGuessed: true };
}

/** Whether a name out of such a text can be relied on. */
export function isCertain({ isGuessed }: Decoded, name: string): boolean {
  return !isGuessed || /^\p{ASCII}*$/u.test(name);
}
