import { describe, expect, it } from 'vitest';
import { graphiqlExamples } from '../../../src/http/pages/graphiql.ts';
import { createTestGateway } from '../../support/gateway.ts';

describe('the example tabs of GraphiQL', () => {
  it('have a comment in their first line', () => {
    expect(graphiqlExamples).toHaveLength(10);
    for (const { query } of graphiqlExamples) expect(query).toMatch(/^# \S.*\n/);
  });

  it('have comments so short that the button does not cover the text', () => {
    const lines = graphiqlExamples.flatMap(({ query }) => query.split('\n'));
    expect(lines.filter((line) => line.startsWith('#') && line.length > 48)).toEqual([]);
  });

  it('have an example with fifty inputs', () => {
    const { inputs } = JSON.parse(graphiqlExamples[3]?.variables ?? '') as { inputs: string[] };
    expect(new Set(inputs).size).toBe(50);
  });

  it.each(graphiqlExamples)('have a result without errors: $query', async ({ query, variables }) => {
    const gateway = await createTestGateway();
    const response = await gateway.app.fetch(
      new Request('http://gateway.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
        body: JSON.stringify({ query, variables: JSON.parse(variables) as unknown }),
      }),
    );
    const text = await response.text();
    expect(text).toContain('"data":{');
    expect(text).not.toMatch(/"errors"|"exists":false|HANDLE_NOT_FOUND/);
    await gateway.close();
  });
});
