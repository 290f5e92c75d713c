import type { Log } from '../../log.ts';
import type { Handler } from '../exchange.ts';
import { createOpsPage, jsonLine } from './ops-page.ts';

/** `/healthz`: the process is alive. Says nothing of the directory. */
export function createHealthPage(log: Log): Handler {
  return createOpsPage('/healthz', log, () => jsonLine(200, { status: 'ok' }));
}
