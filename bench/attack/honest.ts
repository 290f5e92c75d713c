// The honest client, in a process of its own so that its clock is honest: one small query every 20 ms on one
// kept connection. Told to settle, it waits until answers come at once again, and says how long it waited.

import { connect, type Socket } from 'node:net';
import { createResponseReader } from '../http-bytes.ts';

export interface HonestOrder {
  readonly port: number;
  /** a whole request in base64 */
  readonly request: string;
}

/** Since the report before. */
export interface HonestReport {
  readonly longestWaitMs: number;
  /** how late this process itself was at its worst: the machine was busy, not the gateway */
  readonly longestLateMs: number;
  readonly asked: number;
  readonly failed: number;
  /** whether answers came at once again */
  readonly hasSettled: boolean;
}

const EVERY_MS = 20;
const AT_ONCE_MS = 40;
const SETTLED_AFTER = 4;
const SETTLE_WITHIN_MS = 6_000;
const RECONNECT_MS = 100;

let order: HonestOrder | null = null;
let request = Buffer.alloc(0);
let socket: Socket | null = null;
let sentAt: number | null = null;
let nextAt = 0;
let quick = 0;
let report = { longestWaitMs: 0, longestLateMs: 0, asked: 0, failed: 0 };
let settling: { readonly until: number } | null = null;

function open({ port }: HonestOrder): void {
  const opened = connect({ port, host: '127.0.0.1', noDelay: true });
  socket = opened;
  const read = createResponseReader({ end: answered });
  opened.on('data', read);
  opened.on('error', () => undefined);
  opened.on('close', () => {
    if (socket !== opened) return;
    if (sentAt !== null) {
      report.failed += 1;
      report.longestWaitMs = Math.max(report.longestWaitMs, performance.now() - sentAt);
    }
    sentAt = null;
    quick = 0;
    socket = null;
    setTimeout(() => order && socket === null && open(order), RECONNECT_MS);
  });
}

function answered(status: number): void {
  if (sentAt === null) return;
  const waitMs = performance.now() - sentAt;
  sentAt = null;
  report.longestWaitMs = Math.max(report.longestWaitMs, waitMs);
  if (status !== 200) report.failed += 1;
  quick = waitMs <= AT_ONCE_MS ? quick + 1 : 0;
}

function tick(): void {
  const now = performance.now();
  if (nextAt > 0) report.longestLateMs = Math.max(report.longestLateMs, now - nextAt);
  if (socket !== null && sentAt === null) {
    sentAt = now;
    report.asked += 1;
    socket.write(request);
  }
  if (settling !== null && (quick >= SETTLED_AFTER || now > settling.until)) tell(now);
  nextAt = performance.now() + EVERY_MS;
  setTimeout(tick, EVERY_MS);
}

function tell(now: number): void {
  const waiting = sentAt === null ? 0 : now - sentAt;
  const longestWaitMs = Math.max(report.longestWaitMs, waiting);
  process.send?.({ ...report, longestWaitMs, hasSettled: quick >= SETTLED_AFTER } satisfies HonestReport);
  report = { longestWaitMs: 0, longestLateMs: 0, asked: 0, failed: 0 };
  settling = null;
}

process.on('message', (message: HonestOrder | 'settle') => {
  if (message === 'settle') {
    quick = 0;
    settling = { until: performance.now() + SETTLE_WITHIN_MS };
    return;
  }
  order = message;
  request = Buffer.from(message.request, 'base64');
  const old = socket;
  socket = null;
  sentAt = null;
  old?.destroy();
  open(message);
});
process.on('disconnect', () => process.exit(0));
tick();
