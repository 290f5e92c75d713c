// Plays attacks and measures: what the honest client waited, what the server used, what came of it.

import { forgetPeak, readMemory, readUsage } from '../process-usage.ts';
import type { Attack } from './attack.ts';
import { exchange, type Outcome } from './exchange.ts';
import { faultOf, summaryOf } from './judge.ts';
import type { Target } from './target.ts';

export interface Report {
  readonly name: string;
  readonly waitMs: number;
  readonly cpuMs: number;
  /** the server had work and no processor */
  readonly queuedMs: number;
  readonly peakRssMb: number;
  readonly sentBytes: number;
  readonly answers: string;
  readonly faults: readonly string[];
  /** null while it lives */
  readonly death: string | null;
}

/** Of one request; slow connections are held as long as that. */
const LIMIT_MS = 10_000;
const GROUP_LIMIT_MS = 40_000;

/** Attacks of one group are played beside each other; each gets a report, with the figures of all. */
export async function play(attacks: readonly Attack[], target: Target, idleCpu: number): Promise<Report[]> {
  const server = target.server();
  const shots = attacks.map((attack) => Array.from({ length: attack.times }, (_, n) => attack.bytes(n)));
  const limitMs = attacks[0]?.group === null ? LIMIT_MS : GROUP_LIMIT_MS;
  forgetPeak(server.pid);
  const before = readUsage(server.pid);
  const start = performance.now();
  const outcomes = await Promise.all(
    attacks.map((attack, at) => fire(attack, shots[at] ?? [], server.port, limitMs)),
  );
  const honest = server.isAlive() ? await target.settle() : null;
  const elapsedMs = performance.now() - start;
  const after = readUsage(server.pid);
  const peak = readMemory(server.pid);
  let death = null;
  if (!server.isAlive()) death = `died: ${lastLine(server.lastWords())}`;
  else if (!honest?.hasSettled) death = 'hung: ended by the bench';
  if (death !== null) await target.restart();
  const cpuMs = before && after ? after.cpuMs - before.cpuMs - idleCpu * elapsedMs : elapsedMs;
  const shared = {
    waitMs: honest?.longestWaitMs ?? elapsedMs,
    cpuMs: Math.max(0, cpuMs),
    queuedMs: before && after ? after.queuedMs - before.queuedMs : 0,
    peakRssMb: (peak?.peakRssBytes ?? 0) / 1e6,
    death,
  };
  return attacks.map((attack, at) => ({
    ...shared,
    name: attack.group === null ? attack.name : `${attack.name} [${attack.group}]`,
    sentBytes: (shots[at] ?? []).reduce((sum, bytes) => sum + bytes.length, 0),
    answers: summaryOf(outcomes[at] ?? []),
    faults: [...new Set((outcomes[at] ?? []).flatMap((outcome) => faultOf(attack, outcome) ?? []))],
  }));
}

/** CPU ms of the server a ms of time, with nobody there but the honest client. */
export async function measureIdle(target: Target): Promise<number> {
  const { pid } = target.server();
  const [before, start] = [readUsage(pid), performance.now()];
  await new Promise((done) => setTimeout(done, 1_000));
  const after = readUsage(pid);
  return ((after?.cpuMs ?? 0) - (before?.cpuMs ?? 0)) / (performance.now() - start);
}

/** All requests of an attack within the limit; what is not sent by then is not sent. */
async function fire(
  attack: Attack,
  shots: readonly Buffer[],
  port: number,
  limitMs: number,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const until = performance.now() + limitMs;
  const queue = shots.values();
  const connections = Array.from({ length: Math.min(attack.atOnce, shots.length) }, async () => {
    for (const bytes of queue) {
      const leftMs = until - performance.now();
      if (leftMs <= 0) return;
      outcomes.push(await exchange(port, bytes, attack.manner, leftMs));
    }
  });
  await Promise.all(connections);
  return outcomes;
}

function lastLine(text: string): string {
  return /FATAL ERROR:[^\n]*/.exec(text)?.[0] ?? text.trim().split('\n').at(-1) ?? '';
}
