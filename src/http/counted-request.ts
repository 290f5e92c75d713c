// A request whose body can be counted as it comes, whoever reads it.

import { IncomingMessage } from 'node:http';

/** null: the end of the body */
export type OnPush = (chunk: Buffer | null) => void;

/** A class of its own: a `push` put on each request as it comes would cost 2 µs, a tenth of a small request. */
export class CountedRequest extends IncomingMessage {
  onPush: OnPush | null = null;

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    this.onPush?.(chunk);
    return super.push(chunk, encoding);
  }
}
