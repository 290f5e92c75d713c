/** A part of the memory. */
export class MemoryShare {
  readonly sizeBytes: number;
  usedBytes = 0;

  constructor(sizeBytes: number) {
    this.sizeBytes = Math.floor(sizeBytes);
  }

  has(bytes: number): boolean {
    return this.usedBytes + bytes <= this.sizeBytes;
  }
}
