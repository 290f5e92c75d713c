// Imported by a peer: its connections stay open for 65 s, as those of the gateway do. By default node:http closes
// a connection after 5 s. On a busy machine a request is often on its way by then, and fails with ECONNRESET.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const CHANNEL = 'http.server.request.start';
const KEEP_ALIVE_MS = 65_000;

/** Once is enough: node:http reads the time at the end of each response. */
function keepAlive({ server }) {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  unsubscribe(CHANNEL, keepAlive);
}
subscribe(CHANNEL, keepAlive);
