// The published version of a preprint is one of its related works.

import { expect, test } from 'vitest';
import { publishedVersion } from '../../../src/tools/gateway-client/published-version.ts';
import { doiName } from '../../support/doi-names.ts';

const ARXIV = '10.48550/arxiv.2101.00001';

test.each([
  [
    'Crossref names the article',
    '10.1101/2020.01.01',
    'PREPRINT',
    [['IS_PREPRINT_OF', '10.1038/a']],
    '10.1038/a',
  ],
  ['the work is called an article', '10.5555/w', 'ARTICLE', [['IS_PREPRINT_OF', '10.1038/a']], '10.1038/a'],
  ['arXiv names the article a version', ARXIV, 'PREPRINT', [['IS_VERSION_OF', '10.1103/a']], '10.1103/a'],
  [
    'a server lists versions of the preprint before the article',
    '10.5281/zenodo.2',
    'PREPRINT',
    [
      ['IS_VERSION_OF', '10.5281/zenodo.1'],
      ['IS_PREVIOUS_VERSION_OF', '10.7717/peerj.1'],
    ],
    '10.7717/peerj.1',
  ],
  [
    'only versions of the preprint are known',
    '10.5281/zenodo.2',
    'PREPRINT',
    [['IS_VERSION_OF', '10.5281/zenodo.1']],
    null,
  ],
  [
    'the other work is a copy on another server',
    '10.5281/zenodo.2',
    'PREPRINT',
    [['IS_VERSION_OF', ARXIV]],
    null,
  ],
  [
    'a data set has a newer version elsewhere',
    '10.5061/d',
    'DATASET',
    [['IS_PREVIOUS_VERSION_OF', '10.1038/a']],
    null,
  ],
  ['the work names itself', '10.1101/A', 'PREPRINT', [['IS_PREPRINT_OF', '10.1101/a']], null],
  ['the article has no DOI', '10.1101/a', 'PREPRINT', [['IS_PREPRINT_OF', null]], null],
  ['nothing is related', '10.1101/a', 'PREPRINT', [], null],
] as const)('if %s', (_, name, kind, relations, published) => {
  const related = relations.map(([relation, doi]) => ({
    kind: relation,
    doi: doi === null ? null : { name: doiName(doi) },
  }));
  expect(publishedVersion({ name: doiName(name), metadata: { kind }, published: related })).toBe(published);
});

test('a work without metadata has no published version', () => {
  expect(publishedVersion({ name: doiName('10.1101/a'), metadata: null, published: null })).toBeNull();
});
