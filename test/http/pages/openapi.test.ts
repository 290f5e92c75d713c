// The OpenAPI document describes the responses of the REST face.

import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { openApi } from '../../../src/http/pages/openapi.ts';
import { createFakeDirectory, type RecordBehaviour } from '../../support/fake-directory.ts';
import { startGateway } from '../../support/gateway.ts';
import { exchange, headerValues, type ReceivedResponse } from '../exchange.ts';
import { createKeysFile } from '../request/clients/api-key-files.ts';
import { aliasTo, locations, url } from '../rest/rest-gateway.ts';

interface DescribedResponse {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
}

interface Operation {
  readonly get: {
    readonly parameters: readonly { readonly $ref: string }[];
    readonly responses: Readonly<Record<string, DescribedResponse>>;
  };
}

const document = JSON.parse(openApi('', '0.0.0')) as {
  readonly paths: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, { readonly name: string }>>;
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  };
};
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(document, 'openapi');

const RECORDS: Readonly<Record<string, RecordBehaviour>> = {
  '10.1000/182': url('https://example.org/'),
  '10.1000/old': aliasTo('10.1000/182'),
  '10.1000/two': [locations('<location href="https://a.example/"/>')],
  '10.1000/down': new GatewayError('UPSTREAM_TIMEOUT'),
  '10.1000/spent': new GatewayError('RATE_LIMITED', { details: { retryAfterSeconds: 5 } }),
};
const SPENT_AGENCY = { '10.1000/spent': new GatewayError('RATE_LIMITED') };

const METADATA = { '10.1000/182': { type: 'book', title: 'T' } };

/** Requests that cause each response. A request is the text in place of the braces, and the Accept header. */
const REQUESTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '/api/handles/{name}': {
    200: ['10.1000/182', '10.1000/182?type=EMAIL', '10.1000/182?pretty', '10.1000/182?callback=f'],
    304: ['10.1000/182'],
    400: ['%zz', '10.1000/182?index=x'],
    401: ['10.1000/182'],
    404: ['10.1000/none'],
    429: ['10.1000/spent'],
    500: ['10.1000/down'],
  },
  '/doiRA/{names}': {
    200: ['10.1000/182', '10.1000/182,10.1000/none,%zz'],
    304: ['10.1000/182'],
    401: ['10.1000/182'],
    429: ['10.1000/182,10.1000/spent'],
  },
  '/{name}': {
    200: [
      '10.1000/182?noredirect',
      '10.1000/two?action=showurls',
      '10.1000/182 application/vnd.citationstyles.csl+json',
      '10.1000/182 application/json',
      '10.1000/182 application/x-bibtex',
      '10.1000/182 application/x-research-info-systems',
    ],
    204: ['10.1000/two application/x-bibtex'],
    301: ['10.1000/old'],
    302: ['10.1000/182', '10.1000/two', '10.1000/182 text/turtle'],
    304: ['10.1000/182?noredirect', '10.1000/182 application/x-bibtex'],
    400: ['10.1000/%zz', '10.1000/182?index=x'],
    401: ['10.1000/182'],
    404: ['10.1000/none'],
    429: ['10.1000/spent'],
    '5XX': ['10.1000/down'],
  },
};

const CASES = Object.entries(document.paths).flatMap(([path, { get }]) =>
  Object.keys(get.responses).map((status) => [path, status] as const),
);

describe('the OpenAPI document', () => {
  it.each(CASES)('describes the responses of %s with the status %s', async (path, status) => {
    const requests = REQUESTS[path]?.[status] ?? [];
    expect(requests).not.toEqual([]);
    const gateway = await start(status === '401');
    const seenHeaders = new Set<string>();
    for (const [target = '', accept = '*/*'] of requests.map((each) => each.split(' '))) {
      const response = await fetchResponse(
        gateway.url + path.replace(/\{.*\}/, target),
        accept,
        status === '304',
      );
      expect(String(response.status)).toMatch(new RegExp(`^${status.replace('XX', '..')}$`));
      for (const name of checkResponse(path, status, response)) seenHeaders.add(name);
    }
    expect(seenHeaders).toEqual(new Set(Object.keys(headersOf(path, status))));
  });

  it.each(CASES)('has valid examples for the responses of %s with the status %s', (path, status) => {
    const content = document.paths[path]?.get.responses[status]?.content ?? {};
    for (const [type, { example }] of Object.entries(content)) {
      if (example !== undefined) expect(faultsOf(path, status, type, example)).toEqual([]);
    }
  });

  it('describes every parameter that the REST face reads', async () => {
    const described = Object.values(document.paths).flatMap(({ get }) =>
      get.parameters.map(({ $ref }) => document.components.parameters[$ref.split('/').at(-1) ?? '']?.name),
    );
    const folder = 'src/http/rest';
    const files = (await readdir(folder)).map((file) => readFile(`${folder}/${file}`, 'utf8'));
    const read = (await Promise.all(files)).flatMap((source) =>
      [...source.matchAll(/(?:first|all|isOn|has|isPresent)\('(\w+)'/g)].map(([, name]) => name),
    );
    expect(read.length).toBeGreaterThan(10);
    expect(new Set(described)).toEqual(new Set(['name', 'names', ...read]));
  });
});

async function start(hasKeys: boolean) {
  const directory = createFakeDirectory({
    records: RECORDS,
    agencies: { '10.1000/182': { status: 'FOUND', agency: 'Crossref' }, ...SPENT_AGENCY },
    metadata: METADATA,
    now: Date.now(),
  });
  const keys = hasKeys ? await createKeysFile() : null;
  const env = keys ? { API_KEYS_FILE: keys.path, PUBLIC_ACCESS: 'no' } : {};
  const gateway = await startGateway({ directory }, env);
  onTestFinished(async () => {
    await gateway.close();
    await keys?.remove();
  });
  return gateway;
}

/** @param isRepeated sends the request again with the ETag of its response */
async function fetchResponse(
  address: string,
  accept: string,
  isRepeated: boolean,
): Promise<ReceivedResponse> {
  const response = await exchange(address, { headers: { accept } });
  if (!isRepeated) return response;
  const [tag = ''] = headerValues(response, 'etag');
  return exchange(address, { headers: { accept, 'if-none-match': tag } });
}

function headersOf(path: string, status: string): NonNullable<DescribedResponse['headers']> {
  return document.paths[path]?.get.responses[status]?.headers ?? {};
}

/** Checks the response, and returns its described headers. */
function checkResponse(path: string, status: string, response: ReceivedResponse): string[] {
  const { content = {} } = document.paths[path]?.get.responses[status] ?? {};
  const present = Object.entries(headersOf(path, status)).filter(([name, { $ref }]) => {
    const { required = false } = document.components.headers[$ref.split('/').at(-1) ?? ''] ?? {};
    const count = headerValues(response, name.toLowerCase()).length;
    expect(count).toBeGreaterThanOrEqual(required ? 1 : 0);
    expect(count).toBeLessThanOrEqual(1);
    return count === 1;
  });
  const type = headerValues(response, 'content-type').join().split(';')[0] ?? '';
  const types = Object.keys(content);
  expect(types.length === 0 ? [''] : types).toContain(type);
  if (type === 'application/json')
    expect(faultsOf(path, status, type, JSON.parse(response.text))).toEqual([]);
  return present.map(([name]) => name);
}

function faultsOf(path: string, status: string, type: string, body: unknown): unknown[] {
  const place = ['paths', path, 'get', 'responses', status, 'content', type, 'schema'];
  const pointer = place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`);
  if (!validate) throw new Error(`There is no schema for ${path} ${status} ${type}.`);
  return validate(body) ? [] : (validate.errors ?? []);
}
