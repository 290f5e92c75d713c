// A complete body in several pieces. Joining the pieces would need twice the memory.

export type BodyInPieces = readonly Uint8Array[];

export function isInPieces(body: unknown): body is BodyInPieces {
  return Array.isArray(body);
}

export function byteLengthOf(pieces: BodyInPieces): number {
  return pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0);
}
