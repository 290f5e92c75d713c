// Decodes and encodes Windows-1252, the encoding of older programs. It has all printable characters of Latin-1.

/** The characters of the bytes 80 to 9F, which the TextDecoder of Node 20 decodes wrongly. Other bytes are as in Latin-1. */
const FROM_80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

export function decodeWindows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  return text.replaceAll(/[\x80-\x9F]/g, (character) => FROM_80[character.charCodeAt(0) - 0x80] as string);
}

const NOT_LATIN_1 = /[^\0-\x7F\xA0-\xFF]/g;

/** Returns null if Windows-1252 lacks a character of the text. */
export function encodeWindows1252(text: string): Buffer | null {
  let isComplete = true;
  const latin1 = text.replaceAll(NOT_LATIN_1, (character) => {
    const at = FROM_80.indexOf(character);
    isComplete &&= at !== -1;
    return String.fromCharCode(0x80 + at);
  });
  return isComplete ? Buffer.from(latin1, 'latin1') : null;
}
