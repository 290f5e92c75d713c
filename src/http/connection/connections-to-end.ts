// Chooses the connections that end so that another client can connect.

import type { ConnectedClient, Connection } from './connection.ts';

/**
 * Up to one percent of `maxConnections`: of the clients with at least as many connections, first those with the most.
 * Connections without a running request, first those that have waited longest for a complete request. If there are none,
 * running requests of a client that has more connections.
 */
export function connectionsToEnd(
  clients: Iterable<ConnectedClient>,
  newClient: ConnectedClient,
  maxConnections: number,
): readonly Connection[] {
  const size = newClient.connections.size;
  const larger = [...clients]
    .filter(({ connections: { size: others } }) => others >= size)
    .sort((a, b) => b.connections.size - a.connections.size);
  const most = larger[0]?.connections.size ?? 0;
  const idle = larger.flatMap((client) => [...client.connections].filter(isIdle));
  const largest = larger.filter(({ connections: { size: others } }) => others === most && most > size + 1);
  const chosen = idle.length > 0 ? idle : largest.flatMap((client) => [...client.connections]);
  return chosen
    .sort((a, b) => b.client.connections.size - a.client.connections.size || a.sinceMs - b.sinceMs)
    .slice(0, Math.ceil(maxConnections / 100));
}

function isIdle({ latestResponse: latest, body }: Connection): boolean {
  return body.isArriving || !latest || latest.writableFinished;
}
