// The Link header of a redirect has the links of the record and of its locations.

import { expect, test } from 'vitest';
import { testTable } from '../../support/test-table.ts';
import { locations, startRest, value } from './rest-gateway.ts';

const URL_VALUE = value('URL', 'https://example.org/', 1);
const links = (inside: string, index = 5) => value('10320/links', `<links>${inside}</links>`, index);
const link = (attributes: string) => `<location ${attributes}/>`;

async function linkHeaderOf(...values: unknown[]): Promise<unknown> {
  const { get } = await startRest({ records: { '10.1000/1': [URL_VALUE, ...values] } });
  const { status, headers } = await get('/10.1000/1');
  expect(status).toBe(302);
  return headers['link'];
}

testTable<[string, unknown, string | undefined]>([
  [
    'a link',
    links(link('rel="cite-as" href="https://a.example/x y"')),
    '<https://a.example/x%20y>; rel="cite-as"',
  ],
  [
    'its parameters, in order',
    links(
      link(
        'title="A b" hreflang="fr" media="print" target-type="t" media-type="a/b" rel="item" anchor="https://c.example/é" href="https://a.example/"',
      ),
    ),
    '<https://a.example/>; anchor="https://c.example/%C3%A9"; rel="item"; type="a/b"; target-type="t"; media="print"; hreflang="fr"; title="A b"',
  ],
  [
    'a title that is not ASCII',
    links(link('rel="item" title="Ä\'s" href="https://a.example/"')),
    '<https://a.example/>; rel="item"; title*=UTF-8\'\'%C3%84%27s',
  ],
  [
    'a location with rel',
    locations(link('rel="item" weight="0" href_template="https://a.example/{hdl}"')),
    '<https://a.example/10.1000%2F1>; rel="item"',
  ],
  ['a location without rel', locations(link('weight="0" href="https://a.example/"')), undefined],
  ['a link without rel', links(link('href="https://a.example/"')), undefined],
  ['a link that is not a URL', links(link('rel="item" href="javascript:x"')), undefined],
  [
    'a rel that would end the header',
    links(link('rel="a&#13;&#10;X: y" href="https://a.example/"')),
    undefined,
  ],
  [
    'a rel that would end the quotation',
    links(link('rel="a&quot;; x" href="https://a.example/"')),
    undefined,
  ],
  [
    'line breaks in the other parts',
    links(link('rel="item" media="a&#10;b" title="a&#13;&#10;b" href="https://a.example/&#13;&#10;X:y"')),
    '<https://a.example/%0D%0AX:y>; rel="item"; title*=UTF-8\'\'a%0D%0Ab',
  ],
])('the Link header of %s is safe', async (_, values, header) => {
  expect(await linkHeaderOf(values)).toBe(header);
});

test('the Link header has at most 20 links and 2,000 characters', async () => {
  const many = (href: string) => links(link(`rel="item" href="https://a.example/${href}"`).repeat(300));
  expect(String(await linkHeaderOf(many(''))).split(', ')).toHaveLength(20);
  expect(String(await linkHeaderOf(many('x'.repeat(500)))).length).toBeLessThan(2_100);
});
