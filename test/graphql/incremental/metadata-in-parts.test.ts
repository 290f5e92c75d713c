import { expect, onTestFinished, test } from 'vitest';
import { startDirectoryServer } from '../../support/directory-server.ts';
import { createTestGateway } from '../../support/gateway.ts';

const FAST = {
  'content-type': 'application/json',
  'x-rate-limit-limit': '1000',
  'x-rate-limit-interval': '1s',
  'x-concurrency-limit': '3',
};
const NAMES = Array.from({ length: 150 }, (_, at) => `10.5555/w${at}`);

test.each([
  ['@stream', 'query($n: [String!]!) { dois(inputs: $n) @stream(initialCount: 0) { metadata { title } } }'],
  ['@defer', 'query($n: [String!]!) { dois(inputs: $n) { name ... @defer { metadata { title } } } }'],
])(
  '%s sends the titles of one request to an agency before the next request has its response',
  async (_, query) => {
    let release = (): void => {};
    const hasTitles = new Promise<void>((resolve) => {
      release = resolve;
    });
    const directory = await startDirectoryServer(({ url = '' }, response) => {
      const names = url.slice('/doiRA/'.length).split(',').map(decodeURIComponent);
      response.writeHead(200, FAST).end(JSON.stringify(names.map((DOI) => ({ DOI, RA: 'Crossref' }))));
    });
    let lists = 0;
    const crossref = await startDirectoryServer(({ url = '' }, response) => {
      lists += 1;
      const isFirst = lists === 1;
      const filter = new URL(url, 'http://api.test').searchParams.get('filter') ?? '';
      const items = filter.split(',').map((each) => ({ DOI: each.slice('doi:'.length), title: ['T'] }));
      const respond = () => response.writeHead(200, FAST).end(JSON.stringify({ message: { items } }));
      if (isFirst) respond();
      else void hasTitles.then(respond);
    });
    const gateway = await createTestGateway(
      {},
      { DOI_DIRECTORY_URL: directory.url.origin, CROSSREF_API_URL: crossref.url.origin },
    );
    onTestFinished(async () => {
      release();
      await gateway.close();
      await Promise.all([directory.close(), crossref.close()]);
    });

    const response = await gateway.app.fetch(
      new Request('http://gateway.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
        body: JSON.stringify({ query, variables: { n: NAMES } }),
      }),
    );
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"title":"T"')) release();
    }
    expect(text.match(/"title":"T"/g)).toHaveLength(NAMES.length);
    expect(lists).toBeGreaterThan(1);
  },
);
