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
