// 155 works as the APIs of Crossref and DataCite sent them, of all types, without their references.

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { readCrossrefWork } from '../../src/works/crossref-work.ts';
import { readDataciteWork } from '../../src/works/datacite-work.ts';
import type { AgencyWork } from '../../src/works/work.ts';
import { doiName } from '../support/doi-names.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface RecordedWork {
  readonly name: ReturnType<typeof doiName>;
  readonly agency: string;
  /** an item of Crossref's list, or an entry of DataCite's list */
  readonly item: Json;
  /** the members of the record, as the agency sent them */
  readonly sent: Json;
  readonly read: AgencyWork;
}

export const RECORDED_WORKS: readonly RecordedWork[] = readFileSync(
  new URL('../fixtures/agency-works.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => {
    const { agency, item } = JSON.parse(line) as { agency: string; item: Json };
    const sent = agency === 'Crossref' ? item : (item['attributes'] as Json);
    const name = doiName(String(agency === 'Crossref' ? sent['DOI'] : sent['doi']));
    const read = agency === 'Crossref' ? readCrossrefWork(item, name) : readDataciteWork(item, name);
    return { name, agency, item, sent, read: read ?? expect.fail(`${name} is left out`) };
  });
