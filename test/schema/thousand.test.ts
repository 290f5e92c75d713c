// Large lists of names over a DOI proxy and real sockets.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import {
  type Behaviour,
  requestedNames,
  sendJson,
  startDirectoryServer,
} from '../support/directory-server.ts';
import { urlValue } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';

/** The maximum length of the URL of a Which RA request (limitsOf). */
const MAX_URL_BYTES = 4000;

const AGENCIES = ['Crossref', 'DataCite', 'Unknown'] as const;

/** 600 names that differ in more than case. Some have a comma, or characters outside ASCII. */
const NAMES = Array.from({ length: 600 }, (_, index) => {
  const extra = ['', '-supplement', ',b', '(a)', '.Ünïcode'][index % 5] ?? '';
  return `10.${5000 + (index % 7)}/Item.${index}${extra}`;
});

interface Input {
  readonly input: string;
  /** the spelling in the response */
  readonly name: string;
  readonly index: number;
}

/** Other spellings and forms of a name. */
const REPEATS: readonly ((name: string) => { readonly input: string; readonly name: string })[] = [
  (name) => ({ input: name, name }),
  (name) => ({ input: upper(name), name: upper(name) }),
  (name) => ({ input: `doi:${encoded(name)}`, name }),
  (name) => ({ input: `https://doi.org/${encoded(name)}?type=URL`, name }),
  (name) => ({ input: `urn:doi:${encoded(upper(name)).replace('/', ':')}`, name: upper(name) }),
  (name) => ({ input: ` <info:doi/${encoded(name)}> `, name }),
];

/** The 600 names in order. After every three names come two repeats of earlier names. */
const INPUTS: readonly Input[] = NAMES.flatMap((name, index) => {
  const itself = { input: name, name, index };
  if (index % 3 !== 2) return [itself];
  const repeats = [index - 1, index * 7].map((number) => {
    const earlier = number % (index + 1);
    const write = REPEATS[number % REPEATS.length] ?? ((text: string) => ({ input: text, name: text }));
    return { ...write(NAMES[earlier] ?? ''), index: earlier };
  });
  return [itself, ...repeats];
});

function upper(name: string): string {
  return name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function canonical(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The name as a URL or a DOI URI has it. */
function encoded(name: string): string {
  return encodedForWhichRa(name).replaceAll('%2C', ',');
}

function encodedForWhichRa(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

const INDEX_OF_NAME = new Map(NAMES.map((name, index) => [canonical(name), index]));

function isAbsent(index: number): boolean {
  return index % 10 === 9;
}

function recordOf(handle: string): { readonly status: number; readonly body: unknown } {
  const index = INDEX_OF_NAME.get(canonical(handle));
  if (index === undefined || isAbsent(index)) return { status: 404, body: { responseCode: 100, handle } };
  const values = [urlValue(`https://example.org/${index}`)];
  return { status: 200, body: { responseCode: 1, handle, values } };
}

const respond: Behaviour = (request, response) => {
  const { face, names } = requestedNames(request);
  if (face === 'handles') {
    const { status, body } = recordOf(names[0] ?? '');
    sendJson(response, status, body);
  } else {
    const agencies = names.map((name) => {
      const index = INDEX_OF_NAME.get(canonical(name)) ?? 0;
      return { DOI: name, RA: AGENCIES[index % AGENCIES.length] };
    });
    sendJson(response, 200, agencies);
  }
};

test('a thousand inputs with 400 repeats need 600 look-ups and as few Which RA requests as 4 kB allow', async () => {
  expect(INPUTS).toHaveLength(1000);
  const server = await startDirectoryServer(respond);
  onTestFinished(server.close);
  const gateway = await createTestGateway({}, { DOI_DIRECTORY_URL: server.url.href });
  onTestFinished(gateway.close);

  const { data, errors } = await gateway.query<{ dois: unknown[] }>(
    `query ($inputs: [String!]!) { dois(inputs: $inputs) {
      id name exists record { responseCode handle values { text } } whichRa { status } registrationAgency { name }
    } }`,
    { inputs: INPUTS.map(({ input }) => input) },
  );

  expect(errors).toBeUndefined();
  expect(data.dois).toEqual(
    INPUTS.map(({ name, index }) => {
      const agency = AGENCIES[index % AGENCIES.length];
      return {
        id: `doi:${encoded(name)}`,
        name,
        exists: !isAbsent(index),
        record: isAbsent(index)
          ? { responseCode: 100, handle: name, values: [] }
          : { responseCode: 1, handle: name, values: [{ text: `https://example.org/${index}` }] },
        whichRa: { status: agency === 'Unknown' ? 'UNKNOWN' : 'FOUND' },
        registrationAgency: agency === 'Unknown' ? null : { name: agency },
      };
    }),
  );

  const lookUps = server.targets.filter((target) => target.startsWith('/api/handles/'));
  expect(lookUps).toHaveLength(600);
  expect(new Set(lookUps.map((target) => canonical(decodeURIComponent(target)))).size).toBe(600);

  const requests = server.targets.filter((target) => target.startsWith('/doiRA/'));
  expect(server.targets).toHaveLength(lookUps.length + requests.length);
  const namesOfRequests = requests
    .flatMap((target) => target.slice('/doiRA/'.length).split(','))
    .map(decodeURIComponent);
  expect(namesOfRequests.map(canonical)).toEqual(NAMES.map(canonical));
  for (const target of requests) {
    expect(server.url.origin.length + target.length).toBeLessThanOrEqual(MAX_URL_BYTES);
  }
  // All names with a comma each, divided by the bytes that one request has for names.
  const bytesPerRequest = MAX_URL_BYTES - `${server.url.origin}/doiRA/`.length;
  const bytes = NAMES.reduce((sum, name) => sum + encodedForWhichRa(name).length + 1, 0);
  expect(requests.length).toBeLessThanOrEqual(Math.ceil(bytes / bytesPerRequest));
});

test('a list of 50 with one bad name, one timeout and one 500 has 47 complete items and three errors', async () => {
  const silent = NAMES[20] ?? '';
  const failing = NAMES[30] ?? '';
  const inputs = NAMES.slice(0, 50).map((name, index) => (index === 10 ? '10.1000/' : name));
  const misbehave = (request: IncomingMessage, response: ServerResponse): void => {
    const { face, names } = requestedNames(request);
    if (face === 'handles' && names[0] === silent) return;
    if (face === 'handles' && names[0] === failing) {
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Internal Server Error</h1>');
      return;
    }
    respond(request, response);
  };
  const server = await startDirectoryServer(misbehave);
  onTestFinished(server.close);
  const gateway = await createTestGateway(
    { limits: { attemptMs: 1_000 } },
    { DOI_DIRECTORY_URL: server.url.href },
  );
  onTestFinished(gateway.close);

  const { data, errors = [] } = await gateway.query<{ dois: unknown[] }>(
    `query ($inputs: [String!]!) { dois(inputs: $inputs) {
      id url record { status handle values { text } } whichRa { status }
    } }`,
    { inputs },
  );

  expect(data.dois).toEqual(
    NAMES.slice(0, 50).map((name, index) => {
      if (index === 10) return null;
      const computed = { id: `doi:${encoded(name)}`, url: `https://doi.org/${encoded(name)}` };
      const whichRa = { status: index % 3 === 2 ? 'UNKNOWN' : 'FOUND' };
      if (index === 20 || index === 30) return { ...computed, record: null, whichRa };
      const record = isAbsent(index)
        ? { status: 'HANDLE_NOT_FOUND', handle: name, values: [] }
        : { status: 'SUCCESS', handle: name, values: [{ text: `https://example.org/${index}` }] };
      return { ...computed, record, whichRa };
    }),
  );
  const shownErrors = errors.map(({ path, extensions }) => ({ path, ...extensions }));
  expect(shownErrors).toHaveLength(3);
  expect(shownErrors).toEqual(
    expect.arrayContaining([
      {
        path: ['dois', 10],
        code: 'INVALID_DOI',
        reason: 'MISSING_SUFFIX',
        position: null,
        meant: [],
        retryable: false,
      },
      { path: ['dois', 20, 'record'], code: 'UPSTREAM_TIMEOUT', retryable: true },
      { path: ['dois', 30, 'record'], code: 'UPSTREAM_UNAVAILABLE', retryable: true },
    ]),
  );

  // The gateway may retry the two failing names. It looks up the others once, and the bad name never.
  const times = (name: string) =>
    server.targets.filter((target) => target.endsWith(`/${encoded(name)}`)).length;
  for (const [index, name] of NAMES.slice(0, 50).entries()) {
    if (index === 10) expect(times(name)).toBe(0);
    else if (index === 20 || index === 30) expect(times(name)).toBeGreaterThanOrEqual(1);
    else expect(times(name)).toBe(1);
  }
  expect(server.targets.filter((target) => target.startsWith('/doiRA/'))).toHaveLength(1);
});
