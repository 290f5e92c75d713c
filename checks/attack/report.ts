// Reports of attacks. The rules that the gateway must keep during each attack, and the verdict on all attacks.

import { type Cell, printTable } from '../../bench/table.ts';

export interface Report {
  readonly name: string;
  /**
   * the longest wait of an honest client (honest.ts), minus the time in which the gateway or that client waited for a CPU:
   * on a kept connection, on new connections, and of a liveness probe
   */
  readonly waitMs: number;
  readonly openedMs: number;
  readonly healthMs: number;
  /** the longest wait of all of them by the clock, with nothing subtracted */
  readonly clockMs: number;
  /** the number of the honest clients' requests that failed */
  readonly honestFailed: number;
  /** the gauge doi_gateway_reserved_bytes after the attack; null: the process ended, or it has no such gauge */
  readonly reservedBytes: number | null;
  readonly cpuMs: number;
  /** the time in which the gateway could run but waited for a processor */
  readonly queuedMs: number;
  readonly peakRssMb: number;
  readonly sentBytes: number;
  /** the most frequent outcomes */
  readonly responses: string;
  /** the faults in the outcomes of the attack's requests */
  readonly outcomeFaults: readonly string[];
  /** how the gateway's process ended; null: it did not end */
  readonly death: string | null;
}

/** A wait by the clients' kind of connection is at most this, in ms. */
const MAX_WAITS_MS = { waitMs: 150, openedMs: 250, healthMs: 250 } as const;
type WaitKey = keyof typeof MAX_WAITS_MS;
const MAX_RSS_MB = 700;

type Rule = readonly [
  must: string,
  /** Describes how the gateway broke the rule; null: it kept the rule. */
  violation: (report: Report) => string | null,
  measured: (reports: readonly Report[]) => string | number,
];

const most = (reports: readonly Report[], key: WaitKey | 'peakRssMb' | 'reservedBytes'): number =>
  Math.round(Math.max(0, ...reports.map((report) => report[key] ?? 0)));

function waitRule(who: string, key: WaitKey): Rule {
  const maxMs = MAX_WAITS_MS[key];
  return [
    `${who} never waits ${maxMs} ms`,
    (report) => (report[key] < maxMs ? null : `${who} waited ${Math.round(report[key])} ms`),
    (reports) => `${most(reports, key)} ms`,
  ];
}

/** Whether an honest client waited too long. */
export const isSlow = (report: Report): boolean =>
  (Object.keys(MAX_WAITS_MS) as WaitKey[]).some((key) => report[key] >= MAX_WAITS_MS[key]);

const RULES: readonly Rule[] = [
  [
    'the process lives',
    ({ death }) => death,
    (reports) => `ended ${reports.filter(({ death }) => death !== null).length} times`,
  ],
  waitRule('the honest client on a kept connection', 'waitMs'),
  waitRule('the honest client on new connections', 'openedMs'),
  waitRule('the liveness probe', 'healthMs'),
  [
    'no request of the honest clients fails',
    ({ honestFailed }) =>
      honestFailed === 0 ? null : `${honestFailed} of the honest clients' requests failed`,
    (reports) => reports.reduce((sum, { honestFailed }) => sum + honestFailed, 0),
  ],
  [
    'after each attack doi_gateway_reserved_bytes is zero',
    ({ reservedBytes, death }) =>
      reservedBytes === 0 || death !== null
        ? null
        : `doi_gateway_reserved_bytes is ${reservedBytes ?? 'unknown'} after the attack`,
    (reports) => `${most(reports, 'reservedBytes')} bytes`,
  ],
  [
    `RSS under ${MAX_RSS_MB} MB`,
    ({ peakRssMb }) => (peakRssMb < MAX_RSS_MB ? null : `${Math.round(peakRssMb)} MB`),
    (reports) => `${most(reports, 'peakRssMb')} MB`,
  ],
  [
    'every request has an outcome that its attack expects',
    ({ outcomeFaults }) => (outcomeFaults.length === 0 ? null : outcomeFaults.join('; ')),
    (reports) =>
      `${reports.filter(({ outcomeFaults }) => outcomeFaults.length > 0).length} attacks with other outcomes`,
  ],
];

const violationsOf = (report: Report): string =>
  RULES.flatMap(([, violation]) => violation(report) ?? []).join('; ');

/** A function for the cells of each column. Rows are in the order of the second column, the largest first. */
const COLUMNS: Readonly<Record<string, (report: Report) => Cell>> = {
  attack: ({ name }) => name,
  'CPU ms / kB sent': ({ cpuMs, sentBytes }) => (cpuMs * 1_000) / Math.max(1, sentBytes),
  'kept connection: wait in ms': ({ waitMs }) => Math.round(waitMs),
  'new connections: wait in ms': ({ openedMs }) => Math.round(openedMs),
  'liveness probe: wait in ms': ({ healthMs }) => Math.round(healthMs),
  'longest wait by the clock in ms': ({ clockMs }) => Math.round(clockMs),
  'CPU ms': ({ cpuMs }) => Math.round(cpuMs),
  'sent kB': ({ sentBytes }) => sentBytes / 1_000,
  'peak RSS MB': ({ peakRssMb }) => Math.round(peakRssMb),
  'gateway: wait for a CPU in ms': ({ queuedMs }) => Math.round(queuedMs),
  responses: ({ responses }) => responses,
  'broken rules': violationsOf,
};

/** Prints one line, while further attacks run. */
export function printReport(report: Report): void {
  const { name, cpuMs, peakRssMb, responses } = report;
  const waits = [report.waitMs, report.openedMs, report.healthMs].map((ms) => Math.round(ms)).join(', ');
  const figures = `honest clients wait ${waits} ms; ${Math.round(cpuMs)} ms CPU, ${Math.round(peakRssMb)} MB`;
  const why = violationsOf(report);
  console.log(`${why === '' ? '  ' : '✗ '}${name}: ${figures}; ${responses}${why && ` — ${why}`}`);
}

export function printReports(reports: readonly Report[]): void {
  const rows = reports.map((report) => Object.values(COLUMNS).map((cell) => cell(report)));
  rows.sort(([, a], [, b]) => Number(b) - Number(a));
  printTable(`${reports.length} attacks, worst first`, Object.keys(COLUMNS), rows);
}

/** Returns true if all rules hold. @param notRun the number of attacks for which there was no time */
export function printVerdict(reports: readonly Report[], notRun: number): boolean {
  const failed = reports.filter((report) => violationsOf(report) !== '').sort((a, b) => b.waitMs - a.waitMs);
  if (failed.length > 0) {
    const rows = failed.map((report) => [report.name, violationsOf(report)]);
    printTable(`${failed.length} of ${reports.length} failed`, ['attack', 'why'], rows);
  }
  const verdict = (holds: boolean): string => (holds ? 'holds' : 'FAILS');
  printTable(
    'verdict',
    ['must hold', 'measured', ''],
    [
      ['every attack runs', notRun === 0 ? 'yes' : `no time for ${notRun}`, verdict(notRun === 0)],
      ...RULES.map(([must, violation, measured]) => {
        return [must, measured(reports), verdict(reports.every((report) => violation(report) === null))];
      }),
    ],
  );
  return failed.length === 0 && notRun === 0;
}
