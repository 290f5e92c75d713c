// JSON of which something is still waited for.

import { appended, isWritten, type Written } from './pieces.ts';

export type Writing = Written | Promise<Written>;

/** What has been written goes on in one piece; only what is waited for stands apart. */
export class WrittenParts {
  readonly #parts: Writing[] = [];

  add(part: Writing): void {
    const parts = this.#parts;
    const last = parts.length - 1;
    const before = parts[last];
    if (!isWritten(part)) {
      // It may fail before anybody waits for it.
      part.catch(ignored);
      parts.push(part);
    } else if (isWritten(before)) parts[last] = appended(before, part);
    else parts.push(part);
  }

  /** Rejects with the first that fails. */
  async together(): Promise<Written> {
    const parts = await Promise.all(this.#parts);
    return parts.reduce((before, part) => appended(before, part), '');
  }
}

export async function joined(before: Written, rest: Promise<Written>, after: string): Promise<Written> {
  return appended(appended(before, await rest), after);
}

function ignored(): void {}
