// What is handed out of memory counts: for the life of the answer, for the metrics, and in the request's account.

import type { Asker } from '../directory/asker.ts';
import type { Directory, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { AnswerLife } from './answer-expiry.ts';
import type { Evidence } from './evidence.ts';

/** One request, and whom it asks. */
export interface Recipient {
  readonly directory: Pick<Directory, 'countPeek'>;
  readonly life: AnswerLife;
  readonly asker?: Asker | undefined;
}

export function handOutRecord(known: HandleRecord, { directory, life, asker }: Recipient): void {
  life.restsOn(known);
  if (known.status === 'ERROR') life.mustNotBeKept();
  directory.countPeek?.('record', known.stale);
  count(asker, known.stale);
}

export function handOutAgency(known: WhichRaAnswer, { directory, life, asker }: Recipient): void {
  life.restsOn(known);
  directory.countPeek?.('agency', known.stale);
  count(asker, known.stale);
}

export function handOutMetadata(known: MetadataAnswer, { directory, life, asker }: Recipient): void {
  life.restsOn(known);
  directory.countPeek?.('metadata', known.stale);
  count(asker, known.stale);
}

/** Hands out all of it once more, if memory still gives the very same answers, none of them stale; else nothing. */
export function handOutAgain({ records, agencies, metadata }: Evidence, recipient: Recipient): boolean {
  for (const { held } of records) if (!held.isLive()) return false;
  for (const { held } of agencies) if (!held.isLive()) return false;
  for (const { held } of metadata) if (!held.isLive()) return false;
  for (const { held } of records) handOutRecord(held.answer, recipient);
  for (const { held } of agencies) handOutAgency(held.answer, recipient);
  for (const { held } of metadata) handOutMetadata(held.answer, recipient);
  return true;
}

function count(asker: Asker | undefined, stale: boolean): void {
  const tally = asker?.tally;
  if (tally === undefined) return;
  tally.asked();
  tally.answered(stale ? 'stale' : 'memory');
}
