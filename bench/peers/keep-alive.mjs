// A peer that imports this file keeps idle connections open for 65 s, as the gateway does. By default node:http closes
// them after 5 s. On a busy machine it may close a connection just as a request arrives, which fails with ECONNRESET.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const CHANNEL = 'http.server.request.start';
const KEEP_ALIVE_MS = 65_000;

/** Sets the time at the first request. Later is no problem: node:http reads it at the end of each response. */
function keepAlive({ server }) {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  unsubscribe(CHANNEL, keepAlive);
}
subscribe(CHANNEL, keepAlive);
