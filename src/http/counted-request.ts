// A request whose body can be counted as it comes, whoever reads it.

import { IncomingMessage } from 'node:http';

/** null: the end of the body */
export type OnPush = (chunk: Buffer | null) => void;

/** A class of its own, so that all requests have one shape; a `push` put on each as it comes would give it another. */
export class CountedRequest extends IncomingMessage {
  onPush: OnPush | null = null;

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    this.onPush?.(chunk);
    return super.push(chunk, encoding);
  }
}
