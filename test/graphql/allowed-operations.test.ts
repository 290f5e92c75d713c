// Large operations that the default configuration must allow.

import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { graphiqlExamples } from '../../src/http/pages/graphiql.ts';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';
import { createTestGateway, type GraphqlResult } from '../support/gateway.ts';
import { EXECUTIONS } from './two-executions.ts';

const { MAX_BODY_BYTES } = parseConfig({});

/** An example of the GraphiQL page. */
function exampleOf(operation: string): string {
  const example = graphiqlExamples.find(({ query }) => query.includes(`query ${operation}(`));
  return example?.query ?? expect.unreachable(`There is no example ${operation}.`);
}

const FORMS = /doi\(input: \$input\) \{([^}]+)\}/.exec(exampleOf('EveryForm'))?.[1] ?? '';
const CLASSES =
  /doiEquivalenceClasses\(inputs: \$list\) [\s\S]+?\n {2}\}\n/.exec(exampleOf('SameName'))?.[0] ?? '';

test.each(EXECUTIONS)(
  'an operation can have 1,000 names with record, agency, redirect and all forms, executed %s',
  async (_, yogaExecutesAll) => {
    const inputs = Array.from({ length: 1_000 }, (_name, index) => `https://doi.org/10.5555/name.${index}`);
    const records = Object.fromEntries(
      inputs.map((input, index) => [
        input.slice('https://doi.org/'.length),
        [urlValue(`https://example.org/${index}`)],
      ]),
    );
    const gateway = await createTestGateway({ directory: createFakeDirectory({ records }), yogaExecutesAll });
    onTestFinished(gateway.close);
    const query = `query ($inputs: [String!]!) { dois(inputs: $inputs) { ${FORMS} codePoints
    encodings { form label value sourceDocument } proxyUrl(parameters: {noRedirect: true, types: ["URL"]})
    registrationAgency { name title homepageUrl } redirect { url chosenBy statusCode via }
    record { status handle message fetchedAt freshUntil values { index type text ttl timestamp data { format } } } } }`;
    expect(Buffer.byteLength(JSON.stringify({ query, variables: { inputs } }))).toBeLessThan(MAX_BODY_BYTES);
    const { data, errors } = await gateway.query<{ dois: { redirect: { url: string }; utf8Hex: string }[] }>(
      query,
      {
        inputs,
      },
    );
    expect(errors).toBeUndefined();
    expect(data.dois[999]).toMatchObject({
      redirect: { url: 'https://example.org/999' },
      utf8Hex: expect.any(String),
    });
  },
);

test.each(EXECUTIONS)(
  'an operation can sort 5,000 inputs into classes, as in the example, executed %s',
  async (_, yogaExecutesAll) => {
    const gateway = await createTestGateway({ directory: createFakeDirectory(), yogaExecutesAll });
    onTestFinished(gateway.close);
    const list = Array.from({ length: 5_000 }, (_name, index) =>
      index % 10 === 9 ? `nonsense ${index}` : `https://doi.org/10.5555/Some-Catalog.2026.${index % 4_000}`,
    );
    const query = `query ($list: [String!]!) { ${CLASSES} }`;
    expect(CLASSES).toContain('members');
    expect(Buffer.byteLength(JSON.stringify({ query, variables: { list } }))).toBeLessThan(MAX_BODY_BYTES);
    type Classes = { doiEquivalenceClasses: { classes: unknown[]; unreadable: unknown[] } };
    const { data, errors }: GraphqlResult<Classes> = await gateway.query(query, { list });
    expect(errors).toBeUndefined();
    expect(data.doiEquivalenceClasses.unreadable).toHaveLength(500);
    expect(data.doiEquivalenceClasses.classes).toHaveLength(3_600);
  },
);
