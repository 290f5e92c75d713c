// A body of several pieces of bytes, which are not joined: that would hold the body twice.

/** What is known of it as a whole, without joining it. */
export type BodyInPieces = readonly Uint8Array[];

export function isInPieces(body: unknown): body is BodyInPieces {
  return Array.isArray(body);
}

export function byteLengthOf(pieces: BodyInPieces): number {
  return pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0);
}
