// One request of the fuzzer as bytes on a connection of its own, and all that comes back.

import { connect } from 'node:net';
import type { FuzzRequest } from './whole-request.ts';

export interface Conversation {
  readonly received: Buffer;
  /** how it ended: by the gateway, by a reset, by a refused connection, or not in time */
  readonly ending: 'closed' | 'reset' | 'refused' | 'late';
}

/** An operation has 5 seconds, and a machine may be busy. */
const WHOLE_WITHIN_MS = 20_000;

/** What is no whole request may be waited on for the rest of it: that is cut short. */
const QUIET_MS = 300;

/** When the client goes away: after it has sent or received so many bytes, or so long after all was sent. */
export type Leaving =
  | { readonly after: 'sent' | 'received'; readonly bytes: number }
  | { readonly after: 'time'; readonly ms: number };

/** @param leaving left out: the client stays until the gateway closes */
export function converse(port: number, request: FuzzRequest, leaving?: Leaving): Promise<Conversation> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let ending: Conversation['ending'] = 'closed';
    const socket = connect({ port, host: '127.0.0.1' });
    const isWhole = request.kind === 'whole';
    socket.setTimeout(isWhole ? WHOLE_WITHIN_MS : QUIET_MS);
    socket.on('timeout', () => {
      if (isWhole) ending = 'late';
      socket.destroy();
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      ending = code === 'ECONNREFUSED' ? 'refused' : 'reset';
    });
    let left = leaving?.after === 'received' ? leaving.bytes : Number.POSITIVE_INFINITY;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      left -= chunk.length;
      if (left <= 0) socket.destroy();
    });
    socket.once('close', () => resolve({ received: Buffer.concat(chunks), ending }));
    const bytes = Buffer.from(request.bytes, 'latin1');
    if (leaving?.after === 'sent') {
      socket.write(bytes.subarray(0, leaving.bytes % (bytes.length + 1)), () => socket.destroy());
      return;
    }
    socket.write(bytes);
    if (leaving?.after === 'time') setTimeout(() => socket.destroy(), leaving.ms);
  });
}
