// The honest client, in its own process so that its clock is honest: one small query every 20 ms on one kept connection.
// On the message "settle" it waits until responses arrive at once again, and reports how long it waited.

import { connect, type Socket } from 'node:net';
import { createResponseReader } from '../http-bytes.ts';
import { readQueuedMs } from '../node-process.ts';

export interface HonestOrder {
  readonly port: number;
  readonly pid: number;
  /** a whole request in base64 */
  readonly request: string;
}

/** Since the report before. */
export interface HonestReport {
  /** without the time in which the gateway or this process had work and no processor */
  readonly longestWaitMs: number;
  /** with that time */
  readonly longestClockMs: number;
  readonly asked: number;
  readonly failed: number;
  /** whether responses arrive at once again */
  readonly hasSettled: boolean;
}

const EVERY_MS = 20;
const AT_ONCE_MS = 40;
const SETTLED_AFTER = 4;
const SETTLE_WITHIN_MS = 6_000;
const RECONNECT_MS = 100;
const ERRORS = Buffer.from('"errors"');

let order: HonestOrder | null = null;
let request = Buffer.alloc(0);
let socket: Socket | null = null;
let sentAt: number | null = null;
let hasErrors = false;
/** of the gateway and of this process when the request was sent */
let queuedMs = { gateway: 0, own: 0 };
let quick = 0;
const NOTHING = { longestWaitMs: 0, longestClockMs: 0, asked: 0, failed: 0 };
let report = { ...NOTHING };
let settling: { readonly until: number } | null = null;

function open({ port }: HonestOrder): void {
  const opened = connect({ port, host: '127.0.0.1', noDelay: true });
  socket = opened;
  const reader = createResponseReader({
    body: (bytes) => {
      hasErrors ||= bytes.includes(ERRORS);
    },
    end: answered,
  });
  opened.on('data', reader.read);
  opened.on('error', () => undefined);
  opened.on('close', () => {
    if (socket !== opened) return;
    if (sentAt !== null) {
      report.failed += 1;
      countWait(performance.now() - sentAt);
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
  countWait(waitMs);
  if (status !== 200 || hasErrors) report.failed += 1;
  hasErrors = false;
  quick = waitMs <= AT_ONCE_MS ? quick + 1 : 0;
}

function countWait(clockMs: number): void {
  report.longestClockMs = Math.max(report.longestClockMs, clockMs);
  const { gateway, own } = readQueued();
  const lostMs = gateway - queuedMs.gateway + own - queuedMs.own;
  report.longestWaitMs = Math.max(report.longestWaitMs, clockMs - lostMs);
}

function readQueued(): typeof queuedMs {
  return { gateway: readQueuedMs(order?.pid ?? 0), own: readQueuedMs(process.pid) };
}

function tick(): void {
  const now = performance.now();
  if (socket !== null && sentAt === null) {
    report.asked += 1;
    queuedMs = readQueued();
    sentAt = performance.now();
    socket.write(request);
  }
  if (settling !== null && (quick >= SETTLED_AFTER || now > settling.until)) sendReport(now);
  setTimeout(tick, EVERY_MS);
}

function sendReport(now: number): void {
  if (sentAt !== null) countWait(now - sentAt);
  process.send?.({ ...report, hasSettled: quick >= SETTLED_AFTER } satisfies HonestReport);
  report = { ...NOTHING };
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
