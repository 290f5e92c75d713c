// action=showurls lists the targets of a name as XML.

import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import type { RecordBehaviour } from '../../support/fake-directory.ts';
import { locations, startRest, value } from './rest-gateway.ts';

const HTML = 'text/html;charset=utf-8';

describe('action=showurls', () => {
  interface ListedLocation {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
  }

  async function listUrls(values: RecordBehaviour, query = ''): Promise<ListedLocation[]> {
    const { get } = await startRest({ records: { '10.1000/x&y': values } });
    const { status, headers, body } = await get(`/10.1000/x&y?action=showurls${query}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/xml;charset=utf-8']);
    const elements: ListedLocation[] = [];
    const parser = new SaxesParser({ xmlns: true });
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name, attributes }) => {
      elements.push({
        name,
        attributes: Object.fromEntries(
          Object.entries(attributes).map(([key, { value: text }]) => [key, text]),
        ),
      });
    });
    parser.write(body).close();
    const [root, ...others] = elements;
    expect(root).toEqual({ name: 'locations', attributes: {} });
    expect(others.map(({ name }) => name)).toEqual(others.map(() => 'location'));
    return others;
  }

  const hrefs = async (...args: Parameters<typeof listUrls>) =>
    (await listUrls(...args)).map(({ attributes }) => [attributes['href'], attributes['mode'] ?? null]);

  test('lists all locations with their attributes and filled-in templates, and then the URLs', async () => {
    const values = [
      value('URL', 'https://example.org/?a=1&b="<>\''),
      value('URL.PDF', 'https://example.org/pdf', 3),
      locations(
        '<location id="0" label="Ä &amp; &lt;B&gt;" href="https://e.org/?a&b"/><location http_role="conneg" weight="0" href_template="https://e.org/{hdl}"/>',
      ),
    ];
    expect((await listUrls(values)).map(({ attributes }) => attributes)).toEqual([
      { id: '0', label: 'Ä & <B>', href: 'https://e.org/?a&b' },
      { http_role: 'conneg', weight: '0', href: 'https://e.org/10.1000%2Fx%26y' },
      { href: 'https://example.org/?a=1&b="<>\'', mode: 'legacy' },
    ]);
  });

  test('lists subtypes of URL if there is no plain URL, and only values that type and index select', async () => {
    const values = [
      value('URL.PDF', 'https://e.org/1'),
      value('URL.X', 'https://e.org/2', 2),
      locations('<location href="https://e.org/3"/>', 3),
    ];
    const [pdf, x] = [
      ['https://e.org/1', 'legacy'],
      ['https://e.org/2', 'legacy'],
    ];
    expect(await hrefs(values)).toEqual([['https://e.org/3', null], pdf, x]);
    expect(await hrefs(values, '&type=URL.')).toEqual([pdf, x]);
    expect(await hrefs(values, '&index=2')).toEqual([x]);
    expect(await hrefs(values, '&index=3')).toEqual([['https://e.org/3', null]]);
  });

  test('is well-formed for every URL', async () => {
    const values = [value('URL', 'https://e.org/\u0000\u0001\u{1f600}\ufffe]]>&#1;')];
    expect(await hrefs(values)).toEqual([['https://e.org/\ufffd\ufffd\u{1f600}\ufffd]]>&#1;', 'legacy']]);
  });

  test.each<[string, RecordBehaviour]>([
    ['a record without a target', [value('EMAIL', 'x@example.org')]],
    ['an empty URL', [value('URL', '')]],
    ['an empty list', [locations('')]],
  ])('shows the values page for %s', async (_, values) => {
    const { get } = await startRest({ records: { '10.1000/1': values } });
    const { status, headers } = await get('/10.1000/1?action=showurls');
    expect([status, headers['content-type']]).toEqual([200, HTML]);
  });
});
