// What is printed: every attack, worst first, and the verdict.

import { type Cell, printTable } from '../table.ts';
import { LIMITS, type Report } from './play.ts';

const COLUMNS = [
  'attack',
  'CPU ms / kB sent',
  'honest wait ms',
  'by the clock ms',
  'CPU ms',
  'sent kB',
  'peak RSS MB',
  'queued ms',
  'answers',
  'fault',
];

export function faultsOf(report: Report): string[] {
  const { waitMs, peakRssMb, honestFailed, accountBytes, death, faults } = report;
  return [
    ...(death === null ? [] : [death]),
    ...(waitMs >= LIMITS.waitMs ? [`honest client waited ${Math.round(waitMs)} ms`] : []),
    ...(honestFailed > 0 ? [`${honestFailed} of the honest client's requests failed`] : []),
    ...(accountBytes ? [`${accountBytes} bytes still in hand`] : []),
    ...(peakRssMb >= LIMITS.rssMb ? [`${Math.round(peakRssMb)} MB`] : []),
    ...faults,
  ];
}

/** Worst first: CPU of the server per byte sent. */
export function printReports(reports: readonly Report[]): void {
  const perKb = ({ cpuMs, sentBytes }: Report): number => (cpuMs * 1_000) / Math.max(1, sentBytes);
  const sorted = [...reports].sort((a, b) => perKb(b) - perKb(a));
  const row = (report: Report): Cell[] => [
    report.name,
    perKb(report),
    Math.round(report.waitMs),
    Math.round(report.clockMs),
    Math.round(report.cpuMs),
    report.sentBytes / 1_000,
    Math.round(report.peakRssMb),
    Math.round(report.queuedMs),
    report.answers,
    faultsOf(report).join('; '),
  ];
  printTable(`${reports.length} attacks, worst first`, COLUMNS, sorted.map(row));
}

/** Whether all is well. */
export function printVerdict(reports: readonly Report[], notPlayed: number): boolean {
  const failed = reports.filter((report) => faultsOf(report).length > 0);
  const deaths = reports.filter(({ death }) => death !== null).length;
  const longestMs = Math.max(0, ...reports.map(({ waitMs }) => waitMs));
  const peakMb = Math.max(...reports.map(({ peakRssMb }) => peakRssMb));
  const faults = reports.filter(({ faults }) => faults.length > 0).length;
  const honestFailed = reports.reduce((sum, { honestFailed }) => sum + honestFailed, 0);
  const accounts = reports.filter(({ death }) => death === null).map(({ accountBytes }) => accountBytes);
  const heldBytes = accounts.includes(null) ? null : Math.max(0, ...accounts.map((bytes) => bytes ?? 0));
  const verdicts: [string, string, boolean][] = [
    ['every attack is played', notPlayed === 0 ? 'yes' : `no time for ${notPlayed}`, notPlayed === 0],
    ['the process lives', deaths === 0 ? 'always' : `ended ${deaths} times`, deaths === 0],
    [
      `the honest client never waits ${LIMITS.waitMs} ms`,
      `${Math.round(longestMs)} ms`,
      longestMs < LIMITS.waitMs,
    ],
    ['no request of the honest client fails', String(honestFailed), honestFailed === 0],
    [
      'after each attack the account is at zero',
      heldBytes === null ? 'no gauge' : `${heldBytes} bytes`,
      heldBytes === 0,
    ],
    [`RSS under ${LIMITS.rssMb} MB`, `${Math.round(peakMb)} MB`, peakMb < LIMITS.rssMb],
    ['every answer is sane', faults === 0 ? 'yes' : `not of ${faults} attacks`, faults === 0],
  ];
  if (failed.length > 0) {
    const byWait = [...failed].sort((a, b) => b.waitMs - a.waitMs);
    printTable(
      `${failed.length} of ${reports.length} failed`,
      ['attack', 'why'],
      byWait.map((report) => [report.name, faultsOf(report).join('; ')]),
    );
  }
  printTable(
    'verdict',
    ['must hold', 'measured', ''],
    verdicts.map(([what, measured, holds]) => [what, measured, holds ? 'holds' : 'FAILS']),
  );
  return verdicts.every(([, , holds]) => holds);
}
