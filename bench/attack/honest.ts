// The honest client sends one small query every 20 ms on one connection, and measures how long it waits for responses. It
// runs in its own process: the work of the attackers must not make its measurements longer. On the message "settle" it
// waits until responses again arrive without delay, and then sends a report.

import type { Socket } from 'node:net';
import { openConnection } from '../http-bytes.ts';
import { readQueuedMs } from '../node-process.ts';

export interface HonestOrder {
  readonly port: number;
  /** the gateway's process id */
  readonly pid: number;
  /** one HTTP request in base64 */
  readonly request: string;
}

/** What the client measured since its previous report. */
export interface HonestReport {
  /** the longest wait for a response, minus the time in which the gateway or this process waited for a CPU */
  readonly longestWaitMs: number;
  /** the longest wait by the clock, with nothing subtracted */
  readonly longestClockMs: number;
  readonly requests: number;
  readonly failed: number;
  /** whether responses again arrive without delay */
  readonly hasSettled: boolean;
}

const EVERY_MS = 20;
const QUICK_MS = 40;
const SETTLED_RESPONSES = 4;
const SETTLE_WITHIN_MS = 6_000;
const RECONNECT_MS = 100;
const ERRORS = Buffer.from('"errors"');
const NOTHING = { longestWaitMs: 0, longestClockMs: 0, requests: 0, failed: 0 };

let order: HonestOrder | null = null;
let request = Buffer.alloc(0);
let socket: Socket | null = null;
/** The request that has no response yet: when it was sent, and how long both processes had waited for a CPU until then. */
let sent: { readonly at: number; readonly queuedMs: number } | null = null;
let hasErrors = false;
/** quick responses in succession */
let quickResponses = 0;
let report = { ...NOTHING };
/** When the client sends its report at the latest; null: no report is due. */
let settleUntil: number | null = null;

function open({ port }: HonestOrder): void {
  const opened = openConnection(port, { body: searchErrors, end: countResponse }, () => {
    if (socket !== opened) return;
    if (sent !== null) {
      report.failed += 1;
      countWait(sent);
    }
    sent = null;
    quickResponses = 0;
    socket = null;
    setTimeout(() => order && socket === null && open(order), RECONNECT_MS);
  });
  socket = opened;
}

function searchErrors(bytes: Buffer): void {
  hasErrors ||= bytes.includes(ERRORS);
}

function countResponse(status: number): void {
  if (sent === null) return;
  const waitMs = countWait(sent);
  sent = null;
  if (status !== 200 || hasErrors) report.failed += 1;
  hasErrors = false;
  quickResponses = waitMs <= QUICK_MS ? quickResponses + 1 : 0;
}

/** Counts how long a request has waited until now, and returns the time by the clock. */
function countWait({ at, queuedMs }: NonNullable<typeof sent>): number {
  const clockMs = performance.now() - at;
  report.longestClockMs = Math.max(report.longestClockMs, clockMs);
  report.longestWaitMs = Math.max(report.longestWaitMs, clockMs - (readQueued() - queuedMs));
  return clockMs;
}

/** Returns how long the gateway and this process have waited for a CPU since they started. */
const readQueued = (): number => readQueuedMs(order?.pid ?? 0) + readQueuedMs(process.pid);

function tick(): void {
  if (socket !== null && sent === null) {
    report.requests += 1;
    sent = { queuedMs: readQueued(), at: performance.now() };
    socket.write(request);
  }
  const hasSettled = quickResponses >= SETTLED_RESPONSES;
  if (settleUntil !== null && (hasSettled || performance.now() > settleUntil)) sendReport(hasSettled);
  setTimeout(tick, EVERY_MS);
}

function sendReport(hasSettled: boolean): void {
  if (sent !== null) countWait(sent);
  process.send?.({ ...report, hasSettled } satisfies HonestReport);
  report = { ...NOTHING };
  settleUntil = null;
}

process.on('message', (message: HonestOrder | 'settle') => {
  if (message === 'settle') {
    quickResponses = 0;
    settleUntil = performance.now() + SETTLE_WITHIN_MS;
    return;
  }
  order = message;
  request = Buffer.from(message.request, 'base64');
  const previous = socket;
  socket = null;
  sent = null;
  previous?.destroy();
  open(message);
});
process.on('disconnect', () => process.exit(0));
tick();
