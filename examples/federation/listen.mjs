// One part as a process: it listens on loopback, says where, and ends on a signal.
import { createServer } from 'node:http';
import { urlAt } from './ports.mjs';

/** Says where on standard output, or what is wrong on standard error. */
export function listen(handler, port) {
  const server = createServer(handler);
  server.once('error', ({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
  server.listen(Number(port), '127.0.0.1', () => console.log(urlAt(server.address().port)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
}
