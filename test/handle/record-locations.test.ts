// The locations and URLs of a record, and the redirects of a record that is read several times.

import { describe, expect, test } from 'vitest';
import { NO_PREFIX_LOCATIONS } from '../../src/handle/prefix-locations.ts';
import { readLocations, urlsOf } from '../../src/handle/record-locations.ts';
import { chooseRedirect } from '../../src/handle/redirect.ts';
import { doiName } from '../support/doi-names.ts';
import { recordWith, textValue, unfrozenIn } from './wire.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';
const C = 'https://c.example/';
const loc = (...locations: readonly string[]) =>
  textValue('10320/loc', 1, `<locations>${locations.map((at) => `<location ${at}/>`).join('')}</locations>`);

describe('a record that is read several times', () => {
  const template = 'href_template="https://t.example/{hdl}"';

  test('has frozen locations', () => {
    for (const values of [[loc(`href="${A}"`, template)], [loc(), textValue('10320/loc', 2, 'x')], []]) {
      const record = recordWith(values);
      expect(unfrozenIn(readLocations(record.values, record.handle))).toEqual([]);
    }
  });

  test('has its templates filled in for each requested name', () => {
    const { values } = recordWith([loc(`href="${A}"`, template)]);
    for (const name of ['10.5555/X', '10.5555/x', '10.5555/X']) {
      const { locations } = readLocations(values, doiName(name)).list;
      expect(locations.map(({ href }) => href)).toEqual([A, `https://t.example/${encodeURIComponent(name)}`]);
    }
  });

  test('has its warnings each time', () => {
    const record = recordWith([loc('href="javascript:alert(1)"', `href="${B}"`)]);
    for (const _ of [1, 2]) {
      const expected = { url: B, warnings: [{ code: 'UNSAFE_TARGET' }] };
      expect(chooseRedirect(record, NO_PREFIX_LOCATIONS, {}, () => 0)).toMatchObject(expected);
    }
  });
});

test('URLs and subtypes are listed by index, with types in any letter case and data of any format', () => {
  const { values } = recordWith([
    textValue('URL', 3, A),
    textValue('url', 1, B),
    textValue('URL.PDF', 5, C),
    textValue('Url.', 4, A),
    textValue('URLS', 6, C),
    textValue('UR', 7, C),
    { index: 2, type: 'URL', data: { format: 'base64', value: 'aHR0cDovL3gv' } },
  ]);
  expect(urlsOf(values)).toEqual({ plain: [B, A], subtypes: [A, C] });
});
