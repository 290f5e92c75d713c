// The fake APIs refuse the same requests as the real APIs (SPEC 10). The tests of the gateway need this.

import { expect, onTestFinished, test } from 'vitest';
import { type AgencyApisOptions, startAgencyApis } from '../../support/agencies/agency-apis.ts';
import { agencyWorks, FAULTY_NAMES } from '../../support/agencies/agency-works.ts';

const MAIL = { 'user-agent': 'test (mailto:a@example.org)' };

async function start(options: Partial<AgencyApisOptions> = {}) {
  let now = 0;
  const works = [
    ...agencyWorks({ count: 100, agency: 'Crossref', shares: FAULTY_NAMES.Crossref }),
    ...agencyWorks({ count: 100, agency: 'DataCite', shares: FAULTY_NAMES.DataCite }),
  ];
  const time = { now: () => now, sleep: async () => {} };
  const apis = await startAgencyApis({ works, time, ...options });
  onTestFinished(() => apis.close());
  const named = (agency: string, kind: string) =>
    works.filter((work) => work.agency === agency && work.kind === kind).map(({ name }) => name);
  async function get(target: string, headers: Record<string, string> = {}) {
    now += 1_000;
    const response = await fetch(target, { headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
  const crossref = (query: string, headers?: Record<string, string>) =>
    get(`${apis.env['CROSSREF_API_URL']}/works${query}`, headers);
  const datacite = (query: string) => get(`${apis.env['DATACITE_API_URL']}/dois${query}`);
  const list = (names: readonly string[]) =>
    `?filter=${names.map((name) => `doi:${encodeURIComponent(name)}`).join(',')}&rows=50&select=DOI,title`;
  return { works, apis, named, crossref, datacite, list };
}

test('a Crossref list has the selected members of its works, and no aliases', async () => {
  const { apis, named, crossref, list } = await start();
  const requested = [...named('Crossref', 'PLAIN').slice(0, 40), ...named('Crossref', 'ALIAS')];
  const { status, body, headers } = await crossref(list(requested), MAIL);
  expect(status).toBe(200);
  expect(body.message.items).toHaveLength(40);
  expect(Object.keys(body.message.items[0])).toEqual(['DOI', 'title']);
  expect(headers.get('x-rate-limit-limit')).toBe('3');
  expect(headers.get('x-api-pool')).toBe('polite');
  const [alias = ''] = named('Crossref', 'ALIAS');
  const single = await crossref(`/${encodeURIComponent(alias)}`);
  expect(single.body.message).toMatchObject({ language: 'en', DOI: expect.stringContaining('/primary-') });
  expect(single.headers.get('x-rate-limit-limit')).toBe('5');
  expect(apis.breaches).toEqual([]);
});

test('Crossref refuses a list because of one name, and names it', async () => {
  const { apis, named, crossref, list } = await start();
  const [refused = ''] = named('Crossref', 'REFUSED');
  const { status, body } = await crossref(list([...named('Crossref', 'PLAIN').slice(0, 9), refused]));
  expect(status).toBe(400);
  expect(body.message).toMatchObject([{ type: 'doi-not-valid', value: refused }]);
  expect(apis.breaches).toEqual([]);
  const absent = await crossref(`/${named('Crossref', 'ABSENT')[0]}`);
  expect(absent).toMatchObject({ status: 404, body: 'Resource not found.' });
});

test('a request that the documentation forbids is refused and recorded', async () => {
  const { apis, named, crossref, datacite, list } = await start();
  const refused = [
    await crossref('?filter=doi:10.5555/a&select=DOI,language'),
    await crossref(list(named('Crossref', 'COMMA'))),
    await crossref(list(Array(51).fill('10.5555/a'))),
    await crossref(list(Array(40).fill(`10.5555/${'a'.repeat(90)}`))),
    await crossref('/10.5555%2Fa?select=DOI'),
    await datacite('/10.5072%2Fa'),
    await datacite(`?ids=${Array(101).fill('10.5072/a')}&affiliation=true&publisher=true`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 414, 400, 404, 400]);
  expect(apis.breaches).toHaveLength(7);
});

test('a request above a limit is refused and recorded', async () => {
  const works = agencyWorks({ count: 1, agency: 'Crossref' });
  const { apis, crossref, list } = await start({ works, time: { now: () => 0, sleep: async () => {} } });
  const names = works.map(({ name }) => name);
  for (let sent = 0; sent < 3; sent += 1) expect((await crossref(list(names), MAIL)).status).toBe(200);
  const beyond = await crossref(list(names), MAIL);
  expect(beyond.status).toBe(429);
  expect(beyond.headers.get('content-type')).toBe('text/html');
  expect(apis.breaches).toEqual(['crossref polite list: 4 requests in 1 s']);
});

test('a DataCite list without a page size has at most 25 entries', async () => {
  const { apis, named, datacite } = await start();
  const ids = named('DataCite', 'PLAIN').map(encodeURIComponent).join(',');
  const some = await datacite(`?ids=${ids}&affiliation=true&publisher=true&fields[dois]=doi,titles`);
  expect(some.body.data).toHaveLength(25);
  expect(some.body.data[0].attributes.titles[0].title).toMatch(/^Work \d{6}$/);
  expect(apis.calls.map(({ api, kind }) => `${api} ${kind}`)).toEqual(['datacite list']);
});
