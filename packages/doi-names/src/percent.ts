// Percent-encodes and percent-decodes text. A failed decoding reports its offset.

/**
 * Encodes controls, non-ASCII characters and the encoder's ASCII characters. The text must be well-formed UTF-16.
 * @param from the text before this offset is not encoded; default 0
 */
type PercentEncoder = (text: string, from?: number) => string;

/** The encoder for these ASCII characters. */
export const encoderOf = (characters: string): PercentEncoder =>
  createEncoder((character) => characters.includes(character));

/** The encoder for every ASCII character that is not a letter, not a digit and not in `kept`. */
export const encoderOfAllBut = (kept: string): PercentEncoder =>
  createEncoder((character) => !kept.includes(character) && !/[A-Za-z0-9]/.test(character));

function createEncoder(isEncoded: (character: string) => boolean): PercentEncoder {
  const triplets = Array.from({ length: 0x80 }, (_, code) => {
    const isControl = code < 0x20 || code === 0x7f;
    return isControl || isEncoded(String.fromCharCode(code)) ? `%${hexOfByte(code)}` : null;
  });
  return (text, from = 0) => {
    let encoded = '';
    let keptFrom = 0;
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const triplet = code < 0x80 ? triplets[code] : undefined;
      if (triplet === null) continue;
      const end = triplet ? at + 1 : endOfNonAscii(text, at);
      encoded += text.slice(keptFrom, at) + (triplet ?? encodeURIComponent(text.slice(at, end)));
      keptFrom = end;
      at = end - 1;
    }
    return keptFrom === 0 ? text : encoded + text.slice(keptFrom);
  };
}

function endOfNonAscii(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text.charCodeAt(end) >= 0x80) end += 1;
  return end;
}

/** `0A` for 10. */
export function hexOfByte(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

export type Decoded =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: 'INVALID_PERCENT_ENCODING' | 'INVALID_UTF8';
      readonly offset: number;
    };

/** Decodes every triplet once. On failure `offset` is where the malformed triplet or byte sequence begins. */
export function percentDecode(encoded: string): Decoded {
  if (!encoded.includes('%')) return { ok: true, text: encoded };
  const malformed = encoded.search(/%(?![0-9A-Fa-f]{2})/);
  if (malformed !== -1) return { ok: false, code: 'INVALID_PERCENT_ENCODING', offset: malformed };
  try {
    return { ok: true, text: decodeURIComponent(encoded) };
  } catch {
    return { ok: false, code: 'INVALID_UTF8', offset: illFormedOffset(encoded) };
  }
}

/** Decodes a query string as the proxy does. Malformed triplets stay, and so do runs of triplets that are not UTF-8. */
export function percentDecodeLeniently(encoded: string): string {
  return encoded.replace(/(?:%[0-9A-Fa-f]{2})+/g, (triplets) => {
    const decoded = percentDecode(triplets);
    return decoded.ok ? decoded.text : triplets;
  });
}

/** The offset in `encoded` of the character that has the offset `decodedOffset` after decoding. */
export function encodedOffset(encoded: string, decodedOffset: number): number {
  let offset = 0;
  for (let decoded = 0; decoded < decodedOffset; ) {
    const bytes = encoded[offset] === '%' ? sequenceLength(encoded, offset) : 0;
    offset += bytes === 0 ? 1 : bytes * 3;
    decoded += bytes === 4 ? 2 : 1;
  }
  return offset;
}

function illFormedOffset(encoded: string): number {
  let offset = encoded.indexOf('%');
  while (offset !== -1) {
    const end = offset + sequenceLength(encoded, offset) * 3;
    try {
      decodeURIComponent(encoded.slice(offset, end));
    } catch {
      return offset;
    }
    offset = encoded.indexOf('%', end);
  }
  return encoded.length;
}

/** The number of bytes of a UTF-8 sequence. The triplet of its first byte is at `offset`. */
function sequenceLength(encoded: string, offset: number): number {
  const lead = Number.parseInt(encoded.slice(offset + 1, offset + 3), 16);
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
