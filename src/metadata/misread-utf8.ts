// Repairs UTF-8 that was read as Latin-1 or Windows-1252: "MÃ¼ller".

/** Windows-1252 from 0x80 to 0x9f. The five bytes without a character are control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from(WINDOWS_1252, (character, index) => [character, 0x80 + index]),
);

const NEXT = `[\\u0080-\\u00bf${WINDOWS_1252}]`;
/** The two, three or four bytes of one character, each misread as a character. */
const MISREAD = new RegExp(`[Â-ß]${NEXT}|[à-ï]${NEXT}{2}|[ð-ô]${NEXT}{3}`, 'gu');
/** In correct text, these characters too can follow a letter: "CAFÉ–BAR", "SOCIÉTÉ :", "IRMû", "Úšovice". */
const COMMON = new Set('\u00a0\u00ad¡©ª«®°²³´·¹º»¿‘’“”•–—…‹›™ŠšŒœŽžŸƒ');

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Some texts were misread more than once. */
const MAX_REPAIRS = 2;

/** Changes a text only if all its characters outside ASCII look misread, and at least one is certainly misread. */
export function repairMisreadUtf8(text: string, repairs = 0): string {
  if (repairs === MAX_REPAIRS || !isMisread(text)) return text;
  const bytes = Uint8Array.from(text, (character) => BYTES.get(character) ?? character.charCodeAt(0));
  try {
    return repairMisreadUtf8(decoder.decode(bytes), repairs + 1);
  } catch {
    return text;
  }
}

function isMisread(text: string): boolean {
  if (!/[Â-ô]/.test(text)) return false;
  const isOneCertain = Array.from(text.matchAll(MISREAD)).some(({ 0: misread, index }) => {
    const [lead = '', ...next] = misread;
    const isAfterCapital = /\p{Lu}$/u.test(text.slice(Math.max(0, index - 1), index));
    return ('ÂÃ'.includes(lead) && !isAfterCapital) || next.some((character) => !COMMON.has(character));
  });
  return isOneCertain && /^\p{ASCII}*$/u.test(text.replaceAll(MISREAD, ''));
}
