// Counts what one operation asks of the directory, over all of its fields, lists and alias chains.

import type { WhichRaMeter } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';

/** Each throws TOO_MANY_LOOKUPS, with the number that is allowed, for one look-up more than that. */
export interface LookUpBudget {
  /** A name counts once, however often and in whatever case its record is asked for. */
  spendRecord(name: HandleName): void;
  /** The Which RA requests count that it would take to ask for all names, each of them once. */
  spendAgency(name: HandleName): void;
  /** A look-up that is asked for once. */
  spendOther(): void;
  /** Whether there is room for so many, whatever they are. */
  hasRoomFor(lookUps: number): boolean;
}

/** @param createMeter where there is none, all agencies are asked for by one request */
export function createLookUpBudget(most: number, createMeter?: () => WhichRaMeter): LookUpBudget {
  // Most operations cannot come to the limit, even if no name of theirs came twice and each took a Which RA
  // request of its own. Only one that could is counted exactly, from its beginning.
  let others = 0;
  const records: HandleName[] = [];
  const agencies: HandleName[] = [];
  let exact: LookUpBudget | undefined;

  function count(): LookUpBudget {
    const counted = createExactBudget(most, createMeter);
    for (const name of records) counted.spendRecord(name);
    for (const name of agencies) counted.spendAgency(name);
    for (; others > 0; others -= 1) counted.spendOther();
    return counted;
  }

  function isFarOff(): boolean {
    return exact === undefined && records.length + agencies.length + others < most;
  }

  return {
    spendRecord(name) {
      if (isFarOff()) {
        records.push(name);
        return;
      }
      exact ??= count();
      exact.spendRecord(name);
    },
    spendAgency(name) {
      if (isFarOff()) {
        agencies.push(name);
        return;
      }
      exact ??= count();
      exact.spendAgency(name);
    },
    spendOther() {
      if (isFarOff()) {
        others += 1;
        return;
      }
      exact ??= count();
      exact.spendOther();
    },
    hasRoomFor(lookUps) {
      if (exact === undefined && records.length + agencies.length + others + lookUps <= most) return true;
      exact ??= count();
      return exact.hasRoomFor(lookUps);
    },
  };
}

function createExactBudget(most: number, createMeter: (() => WhichRaMeter) | undefined): LookUpBudget {
  const records = new Set<HandleName>();
  const agencies = new Set<HandleName>();
  const beginsRequest = createMeter?.() ?? (() => agencies.size === 0);
  let spent = 0;
  let noMoreAgencies = false;

  function spendOther(): void {
    if (spent === most) throw tooMany(most);
    spent += 1;
  }

  return {
    spendOther,
    hasRoomFor: (lookUps) => spent + lookUps <= most,
    spendRecord(name) {
      const key = canonicalName(name);
      if (records.has(key)) return;
      spendOther();
      records.add(key);
    },
    spendAgency(name) {
      const key = canonicalName(name);
      if (agencies.has(key)) return;
      // A request that was refused has no room for the names that come after it.
      if (noMoreAgencies) throw tooMany(most);
      if (beginsRequest(name)) {
        noMoreAgencies = spent === most;
        spendOther();
      }
      agencies.add(key);
    },
  };
}

function tooMany(most: number): GatewayError {
  return new GatewayError('TOO_MANY_LOOKUPS', {
    message: `The operation needs more than the ${most} look-ups in the directory that this gateway allows. Ask for fewer names at once.`,
    details: { maxLookups: most },
  });
}
