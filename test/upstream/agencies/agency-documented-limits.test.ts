import { expect, test } from 'vitest';
import { documentedLimit } from '../../../src/upstream/agencies/agency-limits.ts';
import { userAgent } from '../../../src/upstream/user-agent.ts';

test('DataCite allows a gateway without CONTACT half of its requests', () => {
  const limits = (contact: string | null) => documentedLimit('api.datacite.org', userAgent('1.0.0', contact));
  expect(limits('ops@example.org')).toEqual({ requests: 1_000, seconds: 300 });
  expect(limits(null)).toEqual({ requests: 500, seconds: 300 });
});

test('a host without a documented limit is not limited', () => {
  for (const host of ['data.medra.org', 'metadata.example']) expect(documentedLimit(host, '')).toBeNull();
});
