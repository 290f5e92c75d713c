// A marked secret in every variable that can hold one, and every failure of its service: the secret appears nowhere in what
// the process of the gateway writes at debug level, in no response, and nowhere in what the command doi writes.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parseConfig, VARIABLES } from '../src/config.ts';
import type { Variable } from '../src/config-variables/variable-types.ts';
import { start } from './support/gateway-process.ts';
import { type RedisServer, startRedisServer, until, withoutRedis } from './support/redis-server.ts';

const CANARY = 'canary7Zq9';
const NAME = '10.5555/1';

/** How a secret can be written: alone, or as user and password of Basic authentication. */
const FORMS = [
  CANARY,
  Buffer.from(`user:${CANARY}`).toString('base64'),
  Buffer.from(`:${CANARY}`).toString('base64'),
];

interface Services {
  /** ports */
  readonly closed: number;
  readonly silent: number;
  readonly garbage: number;
  readonly hangsUp: number;
  readonly noClients: number;
  readonly otherPassword: number;
  readonly refusesProxy: number;
  readonly directory: number;
  readonly folder: string;
}

type Environment = Readonly<Record<string, string>>;

/** One failure: the environment, and what the log or the error at the start says about it. */
type Failure = readonly [environment: (services: Services) => Environment, sign: RegExp];

const redisFailures = (variable: string): Readonly<Record<string, Failure>> => {
  const to =
    (port: keyof Services, scheme = 'redis') =>
    (services: Services) => ({
      DOI_DIRECTORY_URL: `http://127.0.0.1:${services.directory}`,
      ...(variable === 'JOBS_REDIS_URL' && { JOBS_DIR: services.folder }),
      [variable]: `${scheme}://user:${CANARY}@127.0.0.1:${services[port]}`,
    });
  return {
    'refuses connections': [to('closed'), /ECONNREFUSED/],
    'does not answer': [to('silent'), /no answer|ETIMEDOUT|does not answer/],
    'writes garbage': [to('garbage'), /rotocol|does not answer/],
    'hangs up': [to('hangsUp'), /closed|ECONNRESET|EPIPE|does not answer/],
    'has no more clients': [to('noClients'), /max number of clients/],
    'wants another password': [to('otherPassword'), /WRONGPASS/],
    'has no TLS': [to('otherPassword', 'rediss'), /SSL|TLS|ECONNRESET|closed|does not answer/],
    'has no address': [
      (services) => ({
        ...to('closed')(services),
        [variable]: `redis://user:${CANARY}@no.such.invalid:6379`,
      }),
      /ENOTFOUND|EAI_AGAIN/,
    ],
    'has a wrong URL': [
      (services) => ({ ...to('closed')(services), [variable]: `redis://user:${CANARY}/@host:x` }),
      new RegExp(variable),
    ],
  };
};

const proxyTo = (port: keyof Services) => (services: Services) => ({
  DOI_DIRECTORY_URL: 'https://directory.example',
  HTTPS_PROXY: `http://user:${CANARY}@127.0.0.1:${services[port]}`,
});

const agencyAt = (port: keyof Services) => (services: Services) => ({
  DOI_DIRECTORY_URL: `http://127.0.0.1:${services.directory}`,
  CROSSREF_API_URL: `http://127.0.0.1:${services[port]}`,
  CROSSREF_PLUS_TOKEN: CANARY,
  CONTACT: 'a@example.org',
});

const keysIn = (content: string) => (services: Services) => ({
  API_KEYS_FILE: join(services.folder, content),
});

/** The cache writes no line about these failures of its Redis within the time of a test. */
function omit(failures: Readonly<Record<string, Failure>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(failures).filter(([name]) => !names.includes(name)));
}

/** For each variable that can hold a secret, the failures of its service. */
const FAILURES: Readonly<Record<string, Readonly<Record<string, Failure>>>> = {
  REDIS_URL: omit(redisFailures('REDIS_URL'), ['does not answer', 'has no TLS']),
  JOBS_REDIS_URL: redisFailures('JOBS_REDIS_URL'),
  HTTPS_PROXY: {
    'refuses connections': [proxyTo('closed'), /UPSTREAM_UNAVAILABLE/],
    'hangs up': [proxyTo('hangsUp'), /UPSTREAM_UNAVAILABLE/],
    'writes garbage': [proxyTo('garbage'), /UPSTREAM_/],
    'refuses the password': [proxyTo('refusesProxy'), /UPSTREAM_/],
    'has a wrong URL': [() => ({ HTTPS_PROXY: `http://user:${CANARY}@host/path` }), /HTTPS_PROXY/],
  },
  CROSSREF_PLUS_TOKEN: {
    'refuses connections': [agencyAt('closed'), /UPSTREAM_|METADATA/],
    'writes garbage': [agencyAt('garbage'), /UPSTREAM_|METADATA/],
    'refuses the token, and repeats it': [agencyAt('directory'), /UPSTREAM_|METADATA/],
    'is no token': [() => ({ CROSSREF_PLUS_TOKEN: `${CANARY} ${CANARY}` }), /CROSSREF_PLUS_TOKEN/],
  },
  API_KEYS_FILE: {
    'is no JSON': [keysIn('broken.json'), /API_KEYS_FILE/],
    'has a wrong key': [keysIn('wrong.json'), /API_KEYS_FILE/],
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    'has a password': [
      () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:${CANARY}@127.0.0.1:1` }),
      /OTEL_EXPORTER_OTLP_ENDPOINT/,
    ],
  },
};

const collectorAt = (port: keyof Services) => (services: Services) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${services[port]}`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${CANARY}`,
  OTEL_BSP_SCHEDULE_DELAY: '50',
  OTEL_EXPORTER_OTLP_TIMEOUT: '500',
});

/** The SDK of OpenTelemetry reads this variable. */
const SDK_FAILURES: typeof FAILURES = {
  OTEL_EXPORTER_OTLP_HEADERS: {
    'where the collector refuses connections': [collectorAt('closed'), /Traces are lost/],
    'where the collector hangs up': [collectorAt('hangsUp'), /Traces are lost/],
    'where the collector does not answer': [collectorAt('silent'), /Traces are lost/],
    'where the collector writes garbage': [collectorAt('garbage'), /Traces are lost/],
    'where the collector refuses the token, and repeats it': [collectorAt('directory'), /Traces are lost/],
    'is no header': [
      (services) => ({ ...collectorAt('closed')(services), OTEL_EXPORTER_OTLP_HEADERS: `${CANARY}\u0001` }),
      /Traces are lost/,
    ],
  },
};

const secretVariables = Object.entries<Variable>(VARIABLES).flatMap(([name, { isSecret }]) =>
  isSecret ? name : [],
);

test('each variable that is marked as secret has failures here', () => {
  expect(new Set(Object.keys(FAILURES))).toEqual(new Set(secretVariables));
});

test('each variable that takes a URL with a password, or has the name of a secret, is marked as secret', () => {
  const urls = [
    'http://user:word@host.example',
    'https://user:word@host.example',
    'redis://user:word@host.example',
  ];
  const takesPassword = ({ type }: Variable) =>
    !type.safeParse('any text').success && urls.some((url) => type.safeParse(url).success);
  const suspects = Object.entries<Variable>(VARIABLES).flatMap(([name, variable]) =>
    takesPassword(variable) || /TOKEN|SECRET|PASSWORD|_KEYS?(?:_|$)/.test(name) ? name : [],
  );
  expect(suspects.filter((name) => !secretVariables.includes(name))).toEqual([]);
});

test('no variable shows a password in the error about its value', () => {
  for (const name of Object.keys(VARIABLES)) {
    for (const scheme of ['http', 'redis', 'ftp']) {
      let message = '';
      try {
        parseConfig({ [name]: `${scheme}://user:${CANARY}@host.example/?#` });
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).not.toContain(CANARY);
    }
  }
});

describe.skipIf(withoutRedis('secrets'))('a secret is not shown', () => {
  let services: Services;
  const servers: (Server | TcpServer)[] = [];
  const redisServers: RedisServer[] = [];

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

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-secrets-'));
    await writeFile(join(folder, 'broken.json'), `[{"name":"a","sha256":${CANARY}`);
    await writeFile(join(folder, 'wrong.json'), JSON.stringify([{ name: 'a', sha256: CANARY }]));
    const proxy = createServer();
    proxy.on('connect', (_request, socket) =>
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    );
    // It names Crossref as the agency of each name, and refuses other requests with their own headers.
    const directory = createServer(({ url = '', headers }, response) => {
      if (url.startsWith('/doiRA/')) response.end(JSON.stringify([{ DOI: NAME, RA: 'Crossref' }]));
      else if (url.startsWith('/api/handles/'))
        response.end(JSON.stringify({ responseCode: 1, handle: NAME, values: [] }));
      else
        response
          .writeHead(401, `No ${headers['authorization'] ?? headers['crossref-plus-api-token']}`)
          .end(JSON.stringify(headers));
    });
    const [full, locked] = await Promise.all([
      startRedisServer('--maxclients', '1'),
      startRedisServer('--requirepass', 'another'),
    ]);
    redisServers.push(full, locked);
    // The only client that this Redis admits.
    await full.client.ping();
    services = {
      closed: 1,
      silent: await tcp(() => undefined),
      garbage: await tcp((socket) => socket.write('garbage\r\n\r\n')),
      hangsUp: await tcp((socket) => socket.destroy()),
      noClients: full.port,
      otherPassword: locked.port,
      refusesProxy: await portOf(proxy),
      directory: await portOf(directory),
      folder,
    };
  });

  afterAll(async () => {
    for (const server of servers) server.close();
    await Promise.all(redisServers.map((server) => server.close()));
    await rm(services.folder, { recursive: true, force: true });
  });

  /** Everything that the gateway writes and responds while its service fails. Waits until the sign of the failure appears. */
  async function allTextOf(
    environment: Environment,
    sign: RegExp,
    whenFinished: (end: () => Promise<void>) => void,
  ): Promise<string> {
    const env = {
      METADATA: 'yes',
      CLIENT_LOOKUPS_PER_SECOND: '1000',
      LOG_LEVEL: 'debug',
      ...environment,
    };
    const gateway = start(env, { whenFinished });
    let hasEnded = false;
    void gateway.ended.then(() => {
      hasEnded = true;
    });
    const responses: string[] = [];
    const text = () => [gateway.written(), ...responses].join('\n');
    const url = () => /http:\/\/localhost:\d+/.exec(gateway.written())?.[0];
    await until('the gateway listens or ends', () => hasEnded || url() !== undefined);
    const read = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${url()}${path}`, { redirect: 'manual', ...init });
      responses.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`);
    };
    const query = `{ doi(input: "${NAME}") { exists metadata { title } } }`;
    if (!hasEnded) {
      await until(`the failure shows: ${sign}`, async () => {
        await read(`/graphql?query=${encodeURIComponent(query)}`, {
          headers: { accept: 'application/json' },
        });
        return sign.test(text());
      });
      for (const path of ['/readyz', '/metrics', `/${NAME}`, `/api/handles/${NAME}`, '/jobs'])
        await read(path);
      await read('/jobs', { method: 'POST', headers: { 'x-doi-gateway': 'jobs' }, body: `${NAME}\n` });
      gateway.stop('SIGHUP');
      gateway.stop();
    }
    await gateway.ended;
    return text();
  }

  /** Everything that `doi` writes. */
  async function textOfDoi(environment: Environment, ...args: readonly string[]): Promise<string> {
    const doi = join(dirname(inject('compiledGateway')), 'tools', 'cli', 'doi.js');
    const env = { PATH: process.env['PATH'], METADATA: 'yes', LOG_LEVEL: 'debug', ...environment };
    return new Promise((resolve) => {
      execFile(process.execPath, [doi, ...args], { env }, (error, stdout, stderr) =>
        resolve(`${error?.code}: ${stdout}${stderr}`),
      );
    });
  }

  const cases = Object.entries({ ...FAILURES, ...SDK_FAILURES }).flatMap(([name, failures]) =>
    Object.entries(failures).map(([what, failure]) => [name, what, ...failure] as const),
  );

  const showsNone = (text: string): void => {
    for (const form of FORMS) expect(text).not.toContain(form);
  };

  test.concurrent.for(cases)(
    '%s %s: by the gateway',
    async ([_name, _what, environmentOf, sign], { onTestFinished }) => {
      const text = await allTextOf(environmentOf(services), sign, onTestFinished);
      expect(text).toMatch(sign);
      showsNone(text);
    },
  );

  /** `doi` opens no gateway for the other failures, or its service fails as it does for the gateway. */
  const doiCases = cases.filter(
    ([name, what]) =>
      /^(?:REDIS_URL|HTTPS_PROXY|CROSSREF|OTEL)/.test(name) && /refuses|another|wrong|is no|has a/.test(what),
  );

  test.concurrent.each(doiCases)('%s %s: by doi', async (_name, _what, environmentOf) => {
    const text = await textOfDoi(environmentOf(services), 'show', NAME);
    expect(text).toMatch(/10\.5555|doi: /);
    showsNone(text);
  });

  test.concurrent.each(['closed', 'garbage', 'hangsUp', 'directory'] as const)(
    'DOI_API_KEY, where the gateway is %s: by doi',
    async (gateway) => {
      const address = `http://127.0.0.1:${services[gateway]}`;
      const text = await textOfDoi({ DOI_API_KEY: CANARY }, 'show', '--gateway', address, NAME);
      expect(text).toMatch(/^3: doi: /);
      showsNone(text);
    },
  );
});
