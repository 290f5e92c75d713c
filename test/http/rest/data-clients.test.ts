// A program that accepts one type of data is never redirected to a page if data is available.

import * as fc from 'fast-check';
import { describe, test } from 'vitest';
import { createFakeDirectory, NOW, type RecordBehaviour } from '../../support/fake-directory.ts';
import { responseOf } from '../../support/http-request.ts';
import { createFace } from './face-under-test.ts';
import { value } from './rest-gateway.ts';

const PAGE = 'https://page.example/';
const DATA = 'https://data.example/';
const NAME = '/10.1000/work';

/** Types that the gateway writes. */
const WRITTEN = [
  'application/vnd.citationstyles.csl+json',
  'application/citeproc+json',
  'application/json',
  'application/x-bibtex',
  'application/x-research-info-systems',
  'text/x-bibliography',
  'text/bibliography',
];
const OTHER_TYPES = [
  'text/turtle',
  'application/rdf+xml',
  'application/vnd.crossref.unixref+xml',
  'application/zip',
];

const acceptOf = (types: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...types),
      fc.constantFrom('', ';q=0.5', '; charset=utf-8', ' ; q=2', ', */*;q=0.1', ', text/html;q=0.4'),
    )
    .map(([type, rest]) => type + rest);

const attribute = (name: string, values: readonly string[]): fc.Arbitrary<string> =>
  fc
    .option(fc.constantFrom(...values), { nil: null })
    .map((text) => (text === null ? '' : ` ${name}="${text}"`));
const attributes = fc
  .tuple(
    attribute('weight', ['-1', '0', '0.5', '1', '9', 'x']),
    attribute('country', ['gb', 'us']),
    attribute('score', ['0', '1', '7']),
  )
  .map((parts) => parts.join(''));
const page = attributes.map((others) => `<location href="${PAGE}"${others}/>`);
const data = attributes.map((others) => `<location http_role="conneg" href="${DATA}"${others}/>`);
const pages = fc.array(page, { maxLength: 3 });

/** Orders in which locatt is first. */
const chooseBy = fc.oneof(
  fc.constant(''),
  fc
    .shuffledSubarray(['country', 'score', 'weighted', 'address'])
    .map((rest) => ` chooseby="${['locatt', ...rest].join(',')}"`),
);

/** Records with a location for content negotiation, in their own list or in the list of their prefix. */
const records: fc.Arbitrary<Readonly<Record<string, RecordBehaviour>>> = fc
  .record({ own: pages, shared: pages, data, isShared: fc.boolean(), order: chooseBy, hasUrl: fc.boolean() })
  .map(({ own, shared, data: conneg, isShared, order, hasUrl }) => {
    const list = (inside: readonly string[]) => `<locations${order}>${inside.join('')}</locations>`;
    const isListed = !isShared || own.length > 0 || !hasUrl;
    return {
      '10.1000/work': [
        ...(hasUrl || isShared ? [value('URL', PAGE)] : []),
        ...(isListed ? [value('10320/loc', list(isShared ? own : [...own, conneg]), 2)] : []),
      ],
      '0.na/10.1000': [value('HS_NAMESPACE', '<n><locs>10.SERV/X</locs></n>')],
      '10.serv/x': [
        value('10320/loc', `<locations>${[...shared, ...(isShared ? [conneg] : [])].join('')}</locations>`),
      ],
    };
  });

const country = fc.constantFrom('', '?country=gb', '?country=fr');

describe('a program that accepts one type of data', () => {
  test('is redirected to the location for content negotiation, in any list and any position', async () => {
    const law = fc.asyncProperty(
      records,
      acceptOf([...WRITTEN, ...OTHER_TYPES]),
      country,
      async (given, accept, query) => {
        const face = createFace(createFakeDirectory({ now: NOW, records: given }));
        const { status, headers } = await responseOf(face, NAME + query, { headers: { accept } });
        return status === 302 && headers['Location'] === DATA;
      },
    );
    await fc.assert(law);
  });

  test('gets the data from the gateway if the gateway writes the type', async () => {
    const metadata = {
      '10.1000/work': async (_: unknown, { kind }: { readonly kind: string }) =>
        kind === 'csl' ? { type: 'book', title: 'T' } : 'T.',
    };
    const law = fc.asyncProperty(
      fc.oneof(
        records,
        fc.constant({ '10.1000/work': [value('URL', PAGE)] }),
        fc.constant({ '10.1000/work': [value('EMAIL', 'a@b.example')] }),
      ),
      acceptOf(WRITTEN),
      country,
      async (given, accept, query) => {
        const face = createFace(createFakeDirectory({ now: NOW, records: given, metadata }));
        const { status, headers, text } = await responseOf(face, NAME + query, { headers: { accept } });
        const [type = ''] = accept.split(/[ ;,]/);
        return status === 200 && String(headers['Content-Type']).startsWith(type) && text.includes('T');
      },
    );
    await fc.assert(law);
  });
});
