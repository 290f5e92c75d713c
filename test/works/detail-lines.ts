// Each detail of a work as one line of text, for comparisons: `test/fixtures/works-by-hand.txt` describes the lines.

import { expect } from 'vitest';
import { type Contributor, readContributors } from '../../src/works/contributors.ts';
import { listInText } from '../../src/works/csl-details.ts';
import { type AgencyWork, readPlainText, readWork } from '../../src/works/work.ts';
import type { WorkDate } from '../../src/works/work-dates.ts';

type Value = string | number | null | undefined;
const row = (...values: readonly Value[]): string => values.map((value) => value ?? '-').join(' | ');
const lines = (label: string, values: readonly Value[]): string[] =>
  values.flatMap((value) => (value === null || value === undefined ? [] : `${label}: ${value}`));

function personLine({ role, roleType, name, orcid, affiliations, ...parts }: Contributor): string {
  const names = parts.isOrganization ? 'organization' : `${parts.family ?? '-'}, ${parts.given ?? '-'}`;
  const places = affiliations.map((place) =>
    place.ror === null ? place.name : `${place.name} ${place.ror}`,
  );
  return `${role} ${roleType}: ${row(name, names, orcid, places.join('; ') || null)}`;
}

function dateLine({ kind, type, start, end }: WorkDate): string {
  return `${kind} ${type}: ${start.text}${end === null ? '' : `/${end.text}`}`;
}

/** The line of the abstract. Only the start and end that stand in `expected` are compared. */
function abstractLine(abstract: unknown, expected: string | undefined): string[] {
  if (typeof abstract !== 'string') return [];
  const [start = '', end = ''] = (expected?.split(' | ')[1] ?? '').split(' … ');
  const text = abstract.replace(/\s+/g, ' ');
  const count = abstract.split(/\n+/).length;
  return [`abstract: ${count} | ${text.slice(0, start.length)} … ${text.slice(-end.length)}`];
}

/** @param abstract the expected line of the abstract */
export function detailLines({ csl, history }: AgencyWork, abstract?: string): readonly string[] {
  const { details = expect.fail('no details') } = history;
  const work = readWork(csl);
  return [
    `kind: ${row(details.kind, details.agencyType, details.resourceType)}`,
    `CSL type: ${work.type}`,
    ...lines('title', [work.title]),
    ...lines('title as HTML', work.titleHtml?.includes('<') ? [work.titleHtml] : []),
    ...lines('subtitle', [work.subtitle]),
    ...readContributors(csl, details.contributors).map(personLine),
    ...lines('issued', [work.issued?.text]),
    ...details.dates.map(dateLine),
    ...lines('in', [work.containerTitle]),
    ...(['volume', 'issue', 'page', 'publisher', 'language'] as const).flatMap((field) =>
      lines(field, [work[field]]),
    ),
    ...lines('event', [readPlainText(csl['event-title'])]),
    ...abstractLine(csl['abstract'], abstract),
    ...lines('subject', details.subjects),
    ...details.licenses.map(
      ({ spdx, name, url, appliesTo, from }) => `licence: ${row(spdx, name, url, appliesTo, from?.text)}`,
    ),
    ...details.funding.map(
      ({ funder, funderId, awardNumber, awardTitle, awardUrl }) =>
        `funding: ${row(funder, funderId, awardNumber, awardTitle, awardUrl)}`,
    ),
    ...lines('ISSN', listInText(csl['ISSN'])),
    ...lines('ISBN', listInText(csl['ISBN'])),
    ...lines('version', [readPlainText(csl['version'])]),
    ...lines('size', details.sizes),
    ...lines('format', details.formats),
    ...details.fullTexts.map(
      ({ url, contentType, version, intendedFor }) =>
        `full text: ${row(url, contentType, version, intendedFor)}`,
    ),
    `counts: ${details.referenceCount ?? '-'}, ${details.citationCount ?? '-'}`,
    ...lines('registered', [details.registeredAt]),
  ];
}
