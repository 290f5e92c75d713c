import { GatewayError } from '../errors.ts';

/** Counts what one operation asks of the directory, over all of its fields, lists and alias chains. */
export interface LookUpBudget {
  /** Throws TOO_MANY_LOOKUPS, with the number that is allowed, for one look-up more than that. */
  spend(lookUp: string): void;
}

export function createLookUpBudget(most: number): LookUpBudget {
  const lookUps = new Set<string>();
  return {
    spend(lookUp) {
      if (lookUps.size === most && !lookUps.has(lookUp)) {
        throw new GatewayError('TOO_MANY_LOOKUPS', {
          message: `The operation needs more than the ${most} look-ups in the directory that this gateway allows. Ask for fewer names at once.`,
          details: { maxLookups: most },
        });
      }
      lookUps.add(lookUp);
    },
  };
}
