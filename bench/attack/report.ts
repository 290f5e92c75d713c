// The report of each attack, the rules that it must keep, and the verdict on all attacks.

import { type Cell, printTable } from '../table.ts';

export interface Report {
  readonly name: string;
  /** the honest client's longest wait, without the time in which the gateway waited for a processor */
  readonly waitMs: number;
  /** the honest client's longest wait, with that time */
  readonly clockMs: number;
  /** the number of the honest client's requests that failed */
  readonly honestFailed: number;
  /** the gauge doi_gateway_work_bytes after the attack; null: the process ended, or it has no such gauge */
  readonly workBytes: number | null;
  readonly cpuMs: number;
  /** the time in which the gateway had work but waited for a processor */
  readonly queuedMs: number;
  readonly peakRssMb: number;
  readonly sentBytes: number;
  /** the most frequent outcomes */
  readonly responses: string;
  readonly faults: readonly string[];
  /** how the gateway's process ended; null: it did not end */
  readonly death: string | null;
}

export const MAX_WAIT_MS = 150;
const MAX_RSS_MB = 700;

/** One line of the verdict. */
interface Rule {
  readonly must: string;
  /** null: the attack keeps the rule */
  fault(report: Report): string | null;
  measured(reports: readonly Report[]): string;
}

const most = (reports: readonly Report[], key: 'waitMs' | 'peakRssMb' | 'workBytes'): number =>
  Math.round(Math.max(0, ...reports.map((report) => report[key] ?? 0)));

const RULES: readonly Rule[] = [
  {
    must: 'the process lives',
    fault: ({ death }) => death,
    measured(reports) {
      const deaths = reports.filter(({ death }) => death !== null).length;
      return deaths === 0 ? 'always' : `ended ${deaths} times`;
    },
  },
  {
    must: `the honest client never waits ${MAX_WAIT_MS} ms`,
    fault: ({ waitMs }) => (waitMs < MAX_WAIT_MS ? null : `honest client waited ${Math.round(waitMs)} ms`),
    measured: (reports) => `${most(reports, 'waitMs')} ms`,
  },
  {
    must: 'no request of the honest client fails',
    fault: ({ honestFailed }) =>
      honestFailed === 0 ? null : `${honestFailed} of the honest client's requests failed`,
    measured: (reports) => String(reports.reduce((sum, { honestFailed }) => sum + honestFailed, 0)),
  },
  {
    must: 'after each attack doi_gateway_work_bytes is zero',
    fault: ({ workBytes, death }) =>
      workBytes === 0 || death !== null
        ? null
        : `doi_gateway_work_bytes is ${workBytes ?? 'unknown'} after the attack`,
    measured(reports) {
      const living = reports.filter(({ death }) => death === null);
      const hasGauge = living.every(({ workBytes }) => workBytes !== null);
      return hasGauge ? `${most(living, 'workBytes')} bytes` : 'no gauge';
    },
  },
  {
    must: `RSS under ${MAX_RSS_MB} MB`,
    fault: ({ peakRssMb }) => (peakRssMb < MAX_RSS_MB ? null : `${Math.round(peakRssMb)} MB`),
    measured: (reports) => `${most(reports, 'peakRssMb')} MB`,
  },
  {
    must: 'every attack has an allowed outcome',
    fault: ({ faults }) => (faults.length === 0 ? null : faults.join('; ')),
    measured(reports) {
      const faults = reports.filter(({ faults }) => faults.length > 0).length;
      return faults === 0 ? 'yes' : `not ${faults} attacks`;
    },
  },
];

export function faultsOf(report: Report): string[] {
  return RULES.flatMap(({ fault }) => fault(report) ?? []);
}

/** A function for the cells of each column. Rows are in the order of the second column, the largest first. */
const COLUMNS: Readonly<Record<string, (report: Report) => Cell>> = {
  attack: ({ name }) => name,
  'CPU ms / kB sent': ({ cpuMs, sentBytes }) => (cpuMs * 1_000) / Math.max(1, sentBytes),
  'honest wait ms': ({ waitMs }) => Math.round(waitMs),
  'with queued time ms': ({ clockMs }) => Math.round(clockMs),
  'CPU ms': ({ cpuMs }) => Math.round(cpuMs),
  'sent kB': ({ sentBytes }) => sentBytes / 1_000,
  'peak RSS MB': ({ peakRssMb }) => Math.round(peakRssMb),
  'queued ms': ({ queuedMs }) => Math.round(queuedMs),
  responses: ({ responses }) => responses,
  fault: (report) => faultsOf(report).join('; '),
};

export function printReports(reports: readonly Report[]): void {
  const rows = reports.map((report) => Object.values(COLUMNS).map((cell) => cell(report)));
  rows.sort(([, a], [, b]) => Number(b) - Number(a));
  printTable(`${reports.length} attacks, worst first`, Object.keys(COLUMNS), rows);
}

/** Returns true if all rules hold. */
export function printVerdict(reports: readonly Report[], notPlayed: number): boolean {
  const failed = reports.filter((report) => faultsOf(report).length > 0);
  failed.sort((a, b) => b.waitMs - a.waitMs);
  if (failed.length > 0) {
    printTable(
      `${failed.length} of ${reports.length} failed`,
      ['attack', 'why'],
      failed.map((report) => [report.name, faultsOf(report).join('; ')]),
    );
  }
  const played = notPlayed === 0 ? 'yes' : `no time for ${notPlayed}`;
  const verdicts: (readonly [must: string, measured: string, holds: boolean])[] = [
    ['every attack runs', played, notPlayed === 0],
    ...RULES.map(({ must, fault, measured }) => {
      return [must, measured(reports), reports.every((report) => fault(report) === null)] as const;
    }),
  ];
  printTable(
    'verdict',
    ['must hold', 'measured', ''],
    verdicts.map(([must, measured, holds]) => [must, measured, holds ? 'holds' : 'FAILS']),
  );
  return verdicts.every(([, , holds]) => holds);
}
