// Which part of a file a Range header asks for (RFC 9110, section 14).

/** `end` is behind the last byte. */
export interface ByteRange {
  readonly begin: number;
  readonly end: number;
}

/** Null: the whole, as for several ranges at once, which few ask for. `beyond`: nothing of it is there. */
export function readRange(header: string | undefined, size: number): ByteRange | 'beyond' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'beyond' : { begin: size - length, end: size };
  }
  const begin = Number(first);
  if (last !== '' && Number(last) < begin) return null;
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  return begin >= size ? 'beyond' : { begin, end };
}
