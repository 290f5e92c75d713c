import { GatewayError } from '../errors.ts';

/** Counts what one operation asks of the directory, over all of its fields, lists and alias chains. */
export interface LookUpBudget {
  /** Throws TOO_MANY_LOOKUPS, with the number that is allowed, once more than that would be asked. */
  spend(lookUps: number): void;
}

export function createLookUpBudget(most: number): LookUpBudget {
  let spent = 0;
  return {
    spend(lookUps) {
      if (spent + lookUps > most) {
        throw new GatewayError('TOO_MANY_LOOKUPS', {
          message: `The operation needs more than the ${most} look-ups in the directory that this gateway allows. Ask for fewer names at once.`,
          details: { maxLookups: most },
        });
      }
      spent += lookUps;
    },
  };
}
