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

export function handOutRecord(known: HandleRecord, recipient: Recipient): void {
  recipient.life.restsOn(known);
  if (known.status === 'ERROR') recipient.life.mustNotBeKept();
  count('record', known.stale, recipient);
}

export function handOutAgency(known: WhichRaAnswer, recipient: Recipient): void {
  recipient.life.restsOn(known);
  count('agency', known.stale, recipient);
}

export function handOutMetadata(known: MetadataAnswer, recipient: Recipient): void {
  recipient.life.restsOn(known);
  count('metadata', known.stale, recipient);
}

/** Hands out all of it once more, if memory still gives the very same answers, none of them stale; else nothing. */
export function handOutAgain(evidence: Evidence, recipient: Recipient): boolean {
  const { records, agencies, metadata } = evidence;
  for (const { held } of records) if (!held.isLive()) return false;
  for (const { held } of agencies) if (!held.isLive()) return false;
  for (const { held } of metadata) if (!held.isLive()) return false;
  recipient.life.restsOn(evidence);
  for (let more = records.length; more > 0; more -= 1) count('record', false, recipient);
  for (let more = agencies.length; more > 0; more -= 1) count('agency', false, recipient);
  for (let more = metadata.length; more > 0; more -= 1) count('metadata', false, recipient);
  return true;
}

function count(
  kind: 'record' | 'agency' | 'metadata',
  stale: boolean,
  { directory, asker }: Recipient,
): void {
  directory.countPeek?.(kind, stale);
  const tally = asker?.tally;
  if (tally === undefined) return;
  tally.asked();
  tally.answered(stale ? 'stale' : 'memory');
}
