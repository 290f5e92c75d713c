// Reads the inputs of a command: files, or standard input.

import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** A file cannot be read. The message has the reason and the remedy for the user. */
export class UnreadableInputError extends Error {
  override readonly name = 'UnreadableInputError';
}

/** A file that exists but is not readable text. */
export class NotTextError extends UnreadableInputError {}

export interface Input {
  /** the file name as the user gave it, or `-` */
  readonly name: string;
  /** The bytes, unchanged. Throws an UnreadableInputError. */
  bytes(): AsyncGenerator<Uint8Array, void>;
  /** The text in pieces, with U+FFFD for bytes that are not UTF-8. Throws an UnreadableInputError. */
  pieces(): AsyncGenerator<string, void>;
}

export const STANDARD_INPUT = '-';

const PIECE_BYTES = 262_144;

/** @param name a file name; `-` stands for standard input */
export function inputOf(name: string, stdin: Readable): Input {
  const bytes = () => (name === STANDARD_INPUT ? bytesOf(stdin) : bytesOfFile(name));
  return { name, bytes, pieces: () => textOf(bytes()) };
}

async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void> {
  for await (const piece of stream) yield typeof piece === 'string' ? Buffer.from(piece) : (piece as Buffer);
}

async function* bytesOfFile(name: string): AsyncGenerator<Uint8Array, void> {
  try {
    const file = await open(name);
    // The stream closes the file at its end, and if the caller stops early.
    yield* bytesOf(file.createReadStream({ highWaterMark: PIECE_BYTES }));
  } catch (error) {
    throw explained(error);
  }
}

function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? `${error.code}` : '';
  const reason = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;
  return reason === undefined ? error : new UnreadableInputError(reason, { cause: error });
}

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  ENOTDIR: 'there is no such file.',
  EISDIR: 'this is a directory. Name its files, as in  doi find DIRECTORY/*.tex',
  EACCES: 'you have no permission to read the file.',
  EPERM: 'you have no permission to read the file.',
  ENAMETOOLONG: 'there is no such file: its name is too long.',
  ELOOP: 'this is a symbolic link that leads back to itself.',
  EIO: 'the file cannot be read, because the disk failed.',
  ENXIO: 'this is not a file that can be read.',
  ERR_INVALID_ARG_VALUE: 'this is not a valid file name.',
};

async function* textOf(pieces: AsyncGenerator<Uint8Array, void>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let hasBegun = false;
  for await (const piece of pieces) {
    if (!hasBegun && piece.length > 0) checkBeginning(piece);
    hasBegun ||= piece.length > 0;
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}

const CONVERT = 'Convert it first, as with  iconv -f UTF-16 -t UTF-8 FILE';

/** For each kind of file that is not text: its first bytes, and the reason and remedy for the user. */
const OTHER_FILES: readonly (readonly [beginning: string, reason: string])[] = [
  ['\xFF\xFE', `the file is UTF-16, but doi reads UTF-8. ${CONVERT}`],
  ['\xFE\xFF', `the file is UTF-16, but doi reads UTF-8. ${CONVERT}`],
  ['%PDF-', 'this is a PDF. Extract its text first, as with  pdftotext FILE -'],
  ['PK\x03\x04', 'this is a ZIP archive, perhaps a DOCX, ODT or EPUB file. Save it as text or HTML first.'],
  ['\x1F\x8B', 'the file is compressed. Unpack it first, as with  gunzip -c FILE'],
];

const CHECKED_BYTES = 8_192;

/** Throws a NotTextError if the bytes at the beginning of an input are not text in one of the usual encodings. */
export function checkBeginning(piece: Uint8Array): void {
  const beginning = Buffer.from(piece.subarray(0, CHECKED_BYTES)).toString('latin1');
  const found = OTHER_FILES.find(([bytes]) => beginning.startsWith(bytes));
  if (found) throw new NotTextError(found[1]);
  if (!beginning.includes('\0')) return;
  const isUtf16 = /^(?:[^\0]\0){4}|^(?:\0[^\0]){4}/.test(beginning);
  throw new NotTextError(
    isUtf16
      ? `the file looks like UTF-16, but doi reads UTF-8. ${CONVERT}`
      : 'the file is not text, because it contains NUL bytes.',
  );
}

/** Yields the items of the source. Throws the signal's reason when the signal is aborted, even while the source waits. */
export async function* itemsUntilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orAbort(items.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Without `await`, because a source that waits for keyboard input ends only with the next input.
    items.return?.().catch(() => undefined);
  }
}

async function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
