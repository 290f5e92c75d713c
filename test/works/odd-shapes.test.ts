// Recorded works with members of other types than documented.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCrossrefWork } from '../../src/works/crossref-work.ts';
import { readDataciteWork } from '../../src/works/datacite-work.ts';
import { testTable } from '../support/test-table.ts';
import { detailLines } from './detail-lines.ts';
import { type Json, RECORDED_WORKS, type RecordedWork } from './recorded-works.ts';

/** The detail lines of a work with changed members. */
function linesOf({ agency, name, item, sent }: RecordedWork, changed: Json): readonly string[] {
  const members = {
    ...changed,
    ...(agency === 'Crossref' ? { DOI: sent['DOI'] } : { doi: sent['doi'], state: 'findable' }),
  };
  const work =
    agency === 'Crossref'
      ? readCrossrefWork(members, name)
      : readDataciteWork({ ...item, attributes: members }, name);
  return detailLines(work ?? expect.fail(`${name} is left out`));
}

/** Changes each member of each object. */
function withMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => withMembers(entry, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, change(withMembers(member, change))]),
  );
}

const SHAPES = {
  'lists for texts and numbers': (member: unknown) =>
    ['string', 'number'].includes(typeof member) ? [member] : member,
  'single values for lists': (member: unknown) =>
    Array.isArray(member) && member.length === 1 ? (member as unknown[])[0] : member,
};

describe.each(Object.entries(SHAPES))('with %s', (_, change) => {
  testTable(RECORDED_WORKS)('a recorded work has the same details', (work) => {
    const [lines, read] = [detailLines(work.read), linesOf(work, withMembers(work.sent, change) as Json)];
    expect(lines.filter((line) => !read.includes(line)).join('\n')).toBe('');
    expect(read).toEqual(lines);
  });
});

/** Generates values without a text, a number or a name. */
const unreadable = fc.oneof(
  fc.constantFrom(null, '', ' ', [], {}, [[]], [null], true, false, { x: { y: [{}] } }, [[[[[{}]]]]]),
  fc.dictionary(fc.constantFrom('x', 'lang', 'vocabulary'), fc.constantFrom(null, [], {}, true)),
);
const works = fc.constantFrom(...RECORDED_WORKS);

/** The lists of a record whose entries are separate details. */
const LISTS =
  `author editor translator subject license funder link ISSN ISBN degree title subtitle container-title
  creators contributors titles descriptions subjects rightsList fundingReferences sizes formats dates relatedIdentifiers
  identifiers`.split(/\s+/);

test('an unreadable entry of a list changes no other entry', () => {
  fc.assert(
    fc.property(works, unreadable, fc.nat(30), (work, entry, at) => {
      const lists = Object.entries(work.sent).filter(
        ([key, list]) => LISTS.includes(key) && Array.isArray(list),
      );
      const changed = lists.map(([key, list]) => [key, (list as unknown[]).toSpliced(at, 0, entry)]);
      expect(linesOf(work, { ...work.sent, ...Object.fromEntries(changed) })).toEqual(detailLines(work.read));
    }),
    { numRuns: 200 },
  );
});

/** The beginnings of the lines that a member can change. */
const LINES_OF_MEMBER: Readonly<Record<string, RegExp>> = {
  type: /^kind|^CSL type/,
  subtype: /^kind/,
  types: /^kind|^CSL type/,
  degree: /^kind/,
  title: /^title|^subtitle/,
  titles: /^title|^subtitle/,
  subtitle: /^title|^subtitle/,
  author: /^AUTHOR/,
  creators: /^AUTHOR/,
  editor: /^EDITOR/,
  contributors: /^[A-Z_]+ /,
  issued: /^issued|^ISSUED/,
  published: /^issued|^PUBLISHED/,
  'published-print': /^issued|^PUBLISHED/,
  'published-online': /^issued|^PUBLISHED/,
  posted: /^issued|^POSTED/,
  accepted: /^ACCEPTED/,
  approved: /^issued|^APPROVED/,
  dates: /^issued|^[A-Z_]+ /,
  publicationYear: /^issued/,
  'container-title': /^in/,
  container: /^in|^volume|^issue|^page|^IS[BS]N/,
  volume: /^volume/,
  issue: /^issue/,
  page: /^page/,
  'article-number': /^page/,
  publisher: /^publisher/,
  language: /^language|^abstract/,
  event: /^event|^in/,
  abstract: /^abstract/,
  descriptions: /^abstract/,
  subject: /^subject/,
  subjects: /^subject/,
  license: /^licence/,
  rightsList: /^licence/,
  funder: /^funding/,
  fundingReferences: /^funding/,
  link: /^full text/,
  ISSN: /^ISSN/,
  ISBN: /^ISBN/,
  relatedIdentifiers: /^IS[BS]N/,
  identifiers: /^IS[BS]N/,
  version: /^version/,
  sizes: /^size/,
  formats: /^format/,
  'references-count': /^counts/,
  'is-referenced-by-count': /^counts/,
  referenceCount: /^counts/,
  citationCount: /^counts/,
  registered: /^registered/,
};

test('a member with any JSON, or without a value, changes no other detail', () => {
  const members = Object.keys(LINES_OF_MEMBER);
  const text = fc.constantFrom('A', '2020-07-29', '10.5555/12345678', '<p>&amp;', 'javascript:1');
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      ...[unreadable, text, fc.integer(), fc.array(tie('json'), { maxLength: 3 })],
      fc.dictionary(
        fc.constantFrom('name', 'title', 'URL', 'date', 'id', 'date-parts', 'subject'),
        tie('json'),
      ),
    ),
  }));
  fc.assert(
    fc.property(works, fc.nat(), fc.option(json, { nil: undefined }), (work, at, value) => {
      const own = members.filter((member) => member in work.sent);
      const member = own[at % own.length] ?? expect.fail('no member');
      const others = (lines: readonly string[]) =>
        lines.filter((line) => !LINES_OF_MEMBER[member]?.test(line));
      const read = linesOf(work, { ...work.sent, [member]: value });
      expect([member, others(read)]).toEqual([member, others(detailLines(work.read))]);
    }),
    { numRuns: 1_000 },
  );
});
