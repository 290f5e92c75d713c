import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataciteQuery, searchText } from '../../src/works/matching/search-queries.ts';
import { testTable } from '../support/test-table.ts';

const REFERENCE =
  'Berger A, Steiner K. Reliability of hydraulic pumps in alpine villages. J Mt Eng. 2012;57(8):978.';

describe('the search text of a reference', () => {
  testTable([
    ['a number in a list', `[12] ${REFERENCE}`],
    ['another number in a list', `12. ${REFERENCE}`],
    ['a DOI', `${REFERENCE} doi:10.5555/12345678`],
    ['a URL', `${REFERENCE} https://doi.org/10.5555/12345678`],
    ['the day of the visit', `${REFERENCE} Accessed on 3 May 2020.`],
    ['markup', REFERENCE.replace('hydraulic', '<i>hydraulic</i>')],
    ['line breaks', REFERENCE.replaceAll(' ', '\n ')],
  ])('has no number in a list, no address, no day of a visit and no markup', (_, text) => {
    expect(searchText(text)).toBe(REFERENCE);
  });

  it('has at most 500 characters', () => {
    expect(searchText('pump '.repeat(200_000)).length).toBeLessThanOrEqual(500);
  });

  it('is empty if the reference has only a DOI', () => {
    expect([searchText('https://doi.org/10.5555/12345678'), searchText(' … ')]).toEqual(['', '']);
  });
});

describe('the query for DataCite', () => {
  it('has the words of the title and the family name of the first author', () => {
    expect(dataciteQuery(REFERENCE)).toBe(
      'titles.title:("reliability" "hydraulic" "pumps" "alpine" "villages") AND creators.familyName:"Berger"',
    );
  });

  it('is null if no words can be a title', () => {
    expect(dataciteQuery('Berger A. 2012;57:978.')).toBeNull();
  });

  it('never has an operator from the reference', () => {
    const hostile = fc.stringMatching(/^[-+&|!(){}[\]^"~*?:\\/A-Z ]{0,80}$/);
    fc.assert(
      fc.property(hostile, (text) => {
        const query = dataciteQuery(`Berger A. ${text} OR hydraulic AND pumps NOT villages`) ?? '';
        const word = String.raw`"[\p{L}\p{N}\p{M}]+"`;
        const shape = `titles\\.title:\\(${word}(?: ${word})*\\)(?: AND creators\\.familyName:${word})?`;
        expect(query).toMatch(new RegExp(`^(?:${shape})?$`, 'u'));
      }),
    );
  });
});
