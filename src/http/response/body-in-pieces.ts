// A body in several pieces. The gateway does not join them, because memory would then hold the body twice.

export type BodyInPieces = readonly Uint8Array[];

export function isInPieces(body: unknown): body is BodyInPieces {
  return Array.isArray(body);
}

export function byteLengthOf(pieces: BodyInPieces): number {
  return pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0);
}
