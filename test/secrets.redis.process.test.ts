// A secret of the configuration never appears in the log at debug level, in a response, or in the output of the command doi,
// for every failure of its service.

import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { VARIABLES } from '../src/config.ts';
import type { Variable } from '../src/config-variables/variable-types.ts';
import { type FailingServices, startFailingServices } from './support/failing-services.ts';
import { start } from './support/gateway-process.ts';
import { until, withoutRedis } from './support/redis-server.ts';

const CANARY = 'canary7Zq9';
const NAME = '10.5555/1';

/** A secret alone, or as user and password of Basic authentication. */
const FORMS = [
  CANARY,
  Buffer.from(`user:${CANARY}`).toString('base64'),
  Buffer.from(`:${CANARY}`).toString('base64'),
];

type Environment = Readonly<Record<string, string>>;
type Ports = Omit<FailingServices, 'folder' | 'close'>;

/** The environment of one failure, and its sign in the log or in the error at the start. */
type Failure = readonly [environment: (services: FailingServices) => Environment, sign: RegExp];

const redisFailures = (variable: string): Readonly<Record<string, Failure>> => {
  const to =
    (port: keyof Ports, scheme = 'redis') =>
    (services: FailingServices) => ({
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

const proxyTo = (port: keyof Ports) => (services: FailingServices) => ({
  DOI_DIRECTORY_URL: 'https://directory.example',
  HTTPS_PROXY: `http://user:${CANARY}@127.0.0.1:${services[port]}`,
});

const agencyAt = (port: keyof Ports) => (services: FailingServices) => ({
  DOI_DIRECTORY_URL: `http://127.0.0.1:${services.directory}`,
  CROSSREF_API_URL: `http://127.0.0.1:${services[port]}`,
  CROSSREF_PLUS_TOKEN: CANARY,
  CONTACT: 'a@example.org',
});

const keysIn = (content: string) => (services: FailingServices) => ({
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
    'refuses the token, with the token in the response': [agencyAt('directory'), /UPSTREAM_|METADATA/],
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

const collectorAt = (port: keyof Ports) => (services: FailingServices) => ({
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
    'where the collector refuses the token, with the token in the response': [
      collectorAt('directory'),
      /Traces are lost/,
    ],
    'is no header': [
      (services) => ({ ...collectorAt('closed')(services), OTEL_EXPORTER_OTLP_HEADERS: `${CANARY}\u0001` }),
      /Traces are lost/,
    ],
  },
};

const secretVariables = Object.entries<Variable>(VARIABLES).flatMap(([name, { isSecret }]) =>
  isSecret ? name : [],
);

test('each secret variable has failures here', () => {
  expect(new Set(Object.keys(FAILURES))).toEqual(new Set(secretVariables));
});

describe.skipIf(withoutRedis('secrets'))('a secret is never shown', () => {
  let services: FailingServices;

  beforeAll(async () => {
    services = await startFailingServices(NAME, CANARY);
  });
  afterAll(() => services.close());

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

  const expectNoSecret = (text: string): void => {
    for (const form of FORMS) expect(text).not.toContain(form);
  };

  test.concurrent.for(cases)(
    'by the gateway: %s %s',
    async ([_name, _what, environmentOf, sign], { onTestFinished }) => {
      const text = await allTextOf(environmentOf(services), sign, onTestFinished);
      expect(text).toMatch(sign);
      expectNoSecret(text);
    },
  );

  /** `doi` opens no gateway for the other failures, or its service fails as it does for the gateway. */
  const doiCases = cases.filter(
    ([name, what]) =>
      /^(?:REDIS_URL|HTTPS_PROXY|CROSSREF|OTEL)/.test(name) && /refuses|another|wrong|is no|has a/.test(what),
  );

  test.concurrent.each(doiCases)('by doi: %s %s', async (_name, _what, environmentOf) => {
    const text = await textOfDoi(environmentOf(services), 'show', NAME);
    expect(text).toMatch(/10\.5555|doi: /);
    expectNoSecret(text);
  });

  test.concurrent.each(['closed', 'garbage', 'hangsUp', 'directory'] as const)(
    'by doi: DOI_API_KEY, if the gateway is the service %s',
    async (gateway) => {
      const address = `http://127.0.0.1:${services[gateway]}`;
      const text = await textOfDoi({ DOI_API_KEY: CANARY }, 'show', '--gateway', address, NAME);
      expect(text).toMatch(/^3: doi: /);
      expectNoSecret(text);
    },
  );
});
