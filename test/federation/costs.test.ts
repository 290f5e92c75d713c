// docs/federation.md gives the costs that the gateway computes.

import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createTestGateway } from '../support/gateway.ts';

const page = readFileSync(new URL('../../docs/federation.md', import.meta.url), 'utf8');

const SELECTIONS: Readonly<Record<string, string>> = {
  '`record { status }`': 'record { status }',
  'and `registrationAgency { name } redirect { url }`':
    'record { status } registrationAgency { name } redirect { url }',
  'six computed fields, `record` with `values { index type text timestamp }`, `registrationAgency`, `redirect`':
    'name uri urn display canonicalName prefix record { status handle freshUntil values { index type text timestamp } } registrationAgency { name title homepageUrl } redirect { url chosenBy statusCode via }',
  'nearly everything, `values` with their `data`, `locations`, `alias`, `whichRa`':
    'name uri url urn display canonicalName record { status values { index type text ttl data { format ... on HandleStringData { value } } } } whichRa { status message agency { name title } } registrationAgency { name title } redirect { url chosenBy candidates { href localId } warnings { code } } locations { href } alias { handle } exists',
};

const REPRESENTATIONS = Array.from({ length: 1000 }, (_, index) => ({
  __typename: 'DOI',
  ref: `https://doi.org/10.5555/Name.${index}`,
}));

/** The cost of an operation in the error of the gateway. */
async function costOf(fields: string): Promise<string> {
  const gateway = await createTestGateway({ limits: { complexity: 100 } });
  onTestFinished(gateway.close);
  const { errors } = await gateway.query(
    `query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename ... on DOI { ${fields} } } }`,
    { representations: REPRESENTATIONS },
  );
  return /costs (\d+)/.exec(errors?.[0]?.message ?? '')?.[1] ?? '';
}

const rows = new Map(
  [...page.matchAll(/^\| (.+) \| ([\d,]+) \|$/gm)].map(([, selection, cost]) => [selection, cost]),
);

test.each(Object.entries(SELECTIONS))(
  'docs/federation.md gives the cost of a selection: %s',
  async (selection, fields) => {
    expect(rows.get(selection)).toBe(Number(await costOf(fields)).toLocaleString('en'));
  },
);

test('docs/federation.md gives the size of a body with 1,000 representations', () => {
  const kilobytes = Math.round(JSON.stringify(REPRESENTATIONS).length / 1000);
  expect(page).toContain(`The body of 1,000 representations has ${kilobytes} kB`);
});
