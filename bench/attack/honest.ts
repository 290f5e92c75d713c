// The honest client sends one small query every 20 ms on one connection, and measures how long it waits for responses. It
// runs in its own process: the work of the attackers must not make its measurements longer. On the message "settle" it
// waits until responses again arrive without delay, and then sends a report.

import { connect, type Socket } from 'node:net';
import { createResponseReader } from '../http-bytes.ts';
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

let order: HonestOrder | null = null;
let request = Buffer.alloc(0);
let socket: Socket | null = null;
let sentAt: number | null = null;
let hasErrors = false;
/** Read when a request is sent: how long the gateway and this process have waited for a CPU since they started. */
let queuedMsAtSend = { gateway: 0, client: 0 };
/** quick responses in succession */
let quickResponses = 0;
const NOTHING = { longestWaitMs: 0, longestClockMs: 0, requests: 0, failed: 0 };
let report = { ...NOTHING };
let settling: { readonly until: number } | null = null;

function open({ port }: HonestOrder): void {
  const opened = connect({ port, host: '127.0.0.1', noDelay: true });
  socket = opened;
  const reader = createResponseReader({
    body: (bytes) => {
      hasErrors ||= bytes.includes(ERRORS);
    },
    end: countResponse,
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
    quickResponses = 0;
    socket = null;
    setTimeout(() => order && socket === null && open(order), RECONNECT_MS);
  });
}

function countResponse(status: number): void {
  if (sentAt === null) return;
  const waitMs = performance.now() - sentAt;
  sentAt = null;
  countWait(waitMs);
  if (status !== 200 || hasErrors) report.failed += 1;
  hasErrors = false;
  quickResponses = waitMs <= QUICK_MS ? quickResponses + 1 : 0;
}

function countWait(clockMs: number): void {
  report.longestClockMs = Math.max(report.longestClockMs, clockMs);
  const { gateway, client } = readQueued();
  const lostMs = gateway - queuedMsAtSend.gateway + client - queuedMsAtSend.client;
  report.longestWaitMs = Math.max(report.longestWaitMs, clockMs - lostMs);
}

function readQueued(): typeof queuedMsAtSend {
  return { gateway: readQueuedMs(order?.pid ?? 0), client: readQueuedMs(process.pid) };
}

function tick(): void {
  const now = performance.now();
  if (socket !== null && sentAt === null) {
    report.requests += 1;
    queuedMsAtSend = readQueued();
    sentAt = performance.now();
    socket.write(request);
  }
  if (settling !== null && (quickResponses >= SETTLED_RESPONSES || now > settling.until)) sendReport(now);
  setTimeout(tick, EVERY_MS);
}

function sendReport(now: number): void {
  if (sentAt !== null) countWait(now - sentAt);
  process.send?.({ ...report, hasSettled: quickResponses >= SETTLED_RESPONSES } satisfies HonestReport);
  report = { ...NOTHING };
  settling = null;
}

process.on('message', (message: HonestOrder | 'settle') => {
  if (message === 'settle') {
    quickResponses = 0;
    settling = { until: performance.now() + SETTLE_WITHIN_MS };
    return;
  }
  order = message;
  request = Buffer.from(message.request, 'base64');
  const previous = socket;
  socket = null;
  sentAt = null;
  previous?.destroy();
  open(message);
});
process.on('disconnect', () => process.exit(0));
tick();
