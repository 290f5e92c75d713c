// What is handed out of memory counts: for the life of the answer, for the metrics, and in the request's account.

import type { Asker } from '../directory/asker.ts';
import type { Directory, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import type { HandleRecord } from '../handle/record.ts';
import type { AnswerLife } from './answer-expiry.ts';
import type { Evidence } from './evidence.ts';

/** One request, and whom it asks. */
export interface Recipient {
  readonly directory: Pick<Directory, 'countPeeks' | 'memory'>;
  readonly life: AnswerLife;
  readonly asker?: Asker | undefined;
}

export function handOutRecord(known: HandleRecord, recipient: Recipient): void {
  recipient.life.restsOn(known);
  if (known.status === 'ERROR') recipient.life.mustNotBeKept();
  count('record', known.stale, 1, recipient);
}

export function handOutAgency(known: WhichRaAnswer, recipient: Recipient): void {
  recipient.life.restsOn(known);
  count('agency', known.stale, 1, recipient);
}

export function handOutMetadata(known: MetadataAnswer, recipient: Recipient): void {
  recipient.life.restsOn(known);
  count('metadata', known.stale, 1, recipient);
}

/** Hands out all of it once more, if memory still gives the very same answers, none of them stale; else nothing. */
export function handOutAgain(evidence: Evidence, recipient: Recipient): boolean {
  if (!evidence.isLive(recipient.directory.memory)) return false;
  recipient.life.restsOn(evidence);
  const { records, agencies, metadata } = evidence;
  if (records.length > 0) count('record', false, records.length, recipient);
  if (agencies.length > 0) count('agency', false, agencies.length, recipient);
  if (metadata.length > 0) count('metadata', false, metadata.length, recipient);
  return true;
}

function count(
  kind: 'record' | 'agency' | 'metadata',
  stale: boolean,
  lookUps: number,
  { directory, asker }: Recipient,
): void {
  directory.countPeeks?.(kind, stale, lookUps);
  const tally = asker?.tally;
  if (tally === undefined) return;
  tally.asked(lookUps);
  tally.answered(stale ? 'stale' : 'memory', lookUps);
}
