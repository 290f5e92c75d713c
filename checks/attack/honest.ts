// The honest clients. Each of them sends one small request every 20 ms, and measures how long it waits for the response:
// `kept` on one connection, `opened` on a new connection for each request, `health` at /healthz on new connections, as a
// liveness probe does. They run in their own process: the load of the attackers must not make their measurements longer.
// On the message "settle" they wait until responses again arrive without delay, and then send a report.

import type { Socket } from 'node:net';
import { openConnection, requestBytes } from '../../bench/http-bytes.ts';
import { readQueuedMs } from '../../bench/node-process.ts';

export interface HonestOrder {
  readonly port: number;
  /** the gateway's process id */
  readonly pid: number;
  /** one HTTP request in base64 */
  readonly request: string;
}

export type HonestName = 'kept' | 'opened' | 'health';

export interface HonestWait {
  /** the longest wait for a response, minus the time in which the gateway or this process waited for a CPU */
  readonly longestMs: number;
  /** the longest wait by the clock, with nothing subtracted */
  readonly longestClockMs: number;
}

/** What the clients measured since their previous report. */
export interface HonestReport {
  readonly waits: Readonly<Record<HonestName, HonestWait>>;
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
const HEALTH = requestBytes({ target: '/healthz' });

let order: HonestOrder | null = null;

/** Returns how long the gateway and this process have waited for a CPU since they started. */
const readQueued = (): number => readQueuedMs(order?.pid ?? 0) + readQueuedMs(process.pid);

class HonestClient {
  requests = 0;
  failed = 0;
  wait: HonestWait = { longestMs: 0, longestClockMs: 0 };
  readonly #address: string;
  readonly #keepsConnection: boolean;
  #request: Buffer = HEALTH;
  #port = 0;
  #socket: Socket | null = null;
  /** when the next connection may open, after one that the gateway has closed */
  #opensAt = 0;
  /** The request that has no response yet: when it was sent, and how long both processes had waited for a CPU until then. */
  #sent: { readonly at: number; readonly queuedMs: number } | null = null;
  #hasErrors = false;
  /** quick responses in succession */
  #quickResponses = 0;

  constructor(address: string, keepsConnection: boolean) {
    this.#address = address;
    this.#keepsConnection = keepsConnection;
  }

  get hasSettled(): boolean {
    return this.#quickResponses >= SETTLED_RESPONSES;
  }

  /** Sends the next requests to this port. A request without a response is not counted. */
  start(port: number, request: Buffer): void {
    this.#port = port;
    this.#request = request;
    this.#sent = null;
    this.#disconnect();
  }

  unsettle(): void {
    this.#quickResponses = 0;
  }

  tick(): void {
    if (this.#port === 0 || this.#sent !== null || performance.now() < this.#opensAt) return;
    this.#sent = { queuedMs: readQueued(), at: performance.now() };
    this.requests += 1;
    this.#socket ??= this.#connect();
    this.#socket.write(this.#request);
  }

  /** Returns the longest wait since the last report, and starts a new report. */
  endReport(): HonestWait {
    if (this.#sent !== null) this.#countWait(this.#sent);
    const { wait } = this;
    this.wait = { longestMs: 0, longestClockMs: 0 };
    this.requests = 0;
    this.failed = 0;
    return wait;
  }

  #connect(): Socket {
    const body = (bytes: Buffer): void => {
      this.#hasErrors ||= bytes.includes(ERRORS);
    };
    const onClose = (): void => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#opensAt = performance.now() + RECONNECT_MS;
      this.#quickResponses = 0;
      if (this.#sent === null) return;
      this.failed += 1;
      this.#countWait(this.#sent);
      this.#sent = null;
    };
    const end = (status: number): void => this.#countResponse(status);
    const socket = openConnection(this.#port, { body, end }, onClose, this.#address);
    return socket;
  }

  #disconnect(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
  }

  #countResponse(status: number): void {
    if (this.#sent === null) return;
    const waitMs = this.#countWait(this.#sent);
    this.#sent = null;
    if (status !== 200 || this.#hasErrors) this.failed += 1;
    this.#hasErrors = false;
    this.#quickResponses = waitMs <= QUICK_MS ? this.#quickResponses + 1 : 0;
    if (!this.#keepsConnection) this.#disconnect();
  }

  /** Counts how long a request has waited until now, and returns the time by the clock. */
  #countWait({ at, queuedMs }: { readonly at: number; readonly queuedMs: number }): number {
    const clockMs = performance.now() - at;
    this.wait = {
      longestMs: Math.max(this.wait.longestMs, clockMs - (readQueued() - queuedMs)),
      longestClockMs: Math.max(this.wait.longestClockMs, clockMs),
    };
    return clockMs;
  }
}

/** `kept` has the address of the attacks, unless an attack says otherwise. The others are other clients. */
const clients = {
  kept: new HonestClient('127.0.0.1', true),
  opened: new HonestClient('127.1.0.1', false),
  health: new HonestClient('127.1.0.2', false),
} satisfies Record<HonestName, HonestClient>;
const all = Object.values(clients);

/** When the clients send their report at the latest; null: no report is due. */
let settleUntil: number | null = null;

function tick(): void {
  for (const client of all) client.tick();
  const hasSettled = all.every((client) => client.hasSettled);
  if (settleUntil !== null && (hasSettled || performance.now() > settleUntil)) sendReport(hasSettled);
  setTimeout(tick, EVERY_MS);
}

function sendReport(hasSettled: boolean): void {
  const sum = (key: 'requests' | 'failed'): number => all.reduce((total, client) => total + client[key], 0);
  const counts = { requests: sum('requests'), failed: sum('failed'), hasSettled };
  const waits = {
    kept: clients.kept.endReport(),
    opened: clients.opened.endReport(),
    health: clients.health.endReport(),
  };
  process.send?.({ waits, ...counts } satisfies HonestReport);
  settleUntil = null;
}

process.on('message', (message: HonestOrder | 'settle') => {
  if (message === 'settle') {
    for (const client of all) client.unsettle();
    settleUntil = performance.now() + SETTLE_WITHIN_MS;
    return;
  }
  order = message;
  const request = Buffer.from(message.request, 'base64');
  clients.kept.start(message.port, request);
  clients.opened.start(message.port, request);
  clients.health.start(message.port, HEALTH);
});
process.on('disconnect', () => process.exit(0));
tick();
