import type { Plugin } from 'graphql-yoga';
import type { Log } from '../../log.ts';
import { jsonAnswer, useEndpoint } from './endpoint.ts';

/** `GET /healthz`: the process is alive. Says nothing of the directory. */
export function useHealth(log: Log): Plugin {
  return useEndpoint('/healthz', log, () => jsonAnswer(200, { status: 'ok' }));
}
