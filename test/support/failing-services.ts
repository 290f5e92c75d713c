// Services that fail in known ways, for tests of the gateway and of the command doi.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedisServer } from './redis-server.ts';

export interface FailingServices {
  /** the ports of the services */
  readonly closed: number;
  readonly silent: number;
  readonly garbage: number;
  readonly hangsUp: number;
  readonly noClients: number;
  readonly otherPassword: number;
  readonly refusesProxy: number;
  readonly directory: number;
  /** the folder with files of API keys that cannot be used */
  readonly folder: string;
  close(): Promise<void>;
}

/** The directory knows one name. The secret stands in the files of API keys. */
export async function startFailingServices(name: string, secret: string): Promise<FailingServices> {
  const servers: (Server | TcpServer)[] = [];

  async function portOf(server: Server | TcpServer): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  const tcp = (serve: (socket: Socket) => void) =>
    portOf(
      createTcpServer((socket) => {
        socket.on('error', () => undefined);
        serve(socket);
      }).unref(),
    );

  const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-secrets-'));
  await writeFile(join(folder, 'broken.json'), `[{"name":"a","sha256":${secret}`);
  await writeFile(join(folder, 'wrong.json'), JSON.stringify([{ name: 'a', sha256: secret }]));
  const proxy = createServer();
  proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
  const [full, locked] = await Promise.all([
    startRedisServer('--maxclients', '1'),
    startRedisServer('--requirepass', 'another'),
  ]);
  // The only client that this Redis admits.
  await full.client.ping();
  return {
    closed: 1,
    silent: await tcp(() => undefined),
    garbage: await tcp((socket) => socket.write('garbage\r\n\r\n')),
    hangsUp: await tcp((socket) => socket.destroy()),
    noClients: full.port,
    otherPassword: locked.port,
    refusesProxy: await portOf(proxy),
    directory: await portOf(createCrossrefDirectory(name)),
    folder,
    async close() {
      for (const server of servers) server.close();
      await Promise.all([full.close(), locked.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Names Crossref as the agency of each name, and refuses other requests with a response that repeats their headers. */
function createCrossrefDirectory(name: string): Server {
  return createServer(({ url = '', headers }, response) => {
    if (url.startsWith('/doiRA/')) response.end(JSON.stringify([{ DOI: name, RA: 'Crossref' }]));
    else if (url.startsWith('/api/handles/'))
      response.end(JSON.stringify({ responseCode: 1, handle: name, values: [] }));
    else
      response
        .writeHead(401, `No ${headers['authorization'] ?? headers['crossref-plus-api-token']}`)
        .end(JSON.stringify(headers));
  });
}
