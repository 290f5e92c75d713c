// Reads a BibTeX file, or another whole text, in UTF-8 or Windows-1252, and encodes the completed text in the encoding of the file.

import { isUtf8 } from 'node:buffer';
import { decodeWindows1252, encodeWindows1252 } from '../../bulk/windows-1252.ts';
import { UsageError } from '../command.ts';
import { checkBeginning, type Input, UnreadableInputError } from '../read-input.ts';

export interface BibtexFile {
  /** keeps a byte order mark */
  readonly text: string;
  /** Returns the bytes to write, and a note for standard error if they have another encoding than the file. */
  encode(completed: string): { readonly bytes: Buffer; readonly note: string | null };
}

/** Rejects with a UsageError for a file that cannot be read, is not text, or is too large. */
export async function readBibtexFile(
  { name, bytes }: Input,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<BibtexFile> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of bytes()) {
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes)
        throw new UnreadableInputError(`the file is larger than ${maxBytes / 1e6} MB. Divide it.`);
    }
    const all = Buffer.concat(pieces);
    checkBeginning(all);
    return isUtf8(all) ? inUtf8(all) : inWindows1252(name, all);
  } catch (error) {
    if (!(error instanceof UnreadableInputError)) throw error;
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
}

function inUtf8(bytes: Buffer): BibtexFile {
  return { text: bytes.toString(), encode: (text) => ({ bytes: Buffer.from(text), note: null }) };
}

function inWindows1252(name: string, bytes: Buffer): BibtexFile {
  const note = `${name} is Windows-1252. The result is UTF-8, because Windows-1252 lacks some of the added characters.`;
  return {
    text: decodeWindows1252(bytes),
    encode(text) {
      const encoded = encodeWindows1252(text);
      return encoded ? { bytes: encoded, note: null } : { bytes: Buffer.from(text), note };
    },
  };
}
