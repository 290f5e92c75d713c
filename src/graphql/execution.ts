// What one execution goes by, and what it leaves.

import type { GatewayContext } from '../schema/builder.ts';
import type { ArgumentsRead } from './arguments.ts';
import type { BatchGate } from './batch-gate.ts';
import type { ErrorTeller } from './mask-error.ts';
import type { WrittenErrors } from './pieces.ts';
import type { RememberedItems } from './remembered-items.ts';
import type { Slices } from './turns.ts';
import type { Allowance } from './write.ts';

export interface Execution extends ArgumentsRead {
  readonly context: GatewayContext;
  readonly allowance: Allowance;
  readonly slices: Pick<Slices, keyof Slices>;
  /** what is asked of the directory goes there when all of an object, or of a list, is begun */
  readonly gate: BatchGate;
  readonly tell: ErrorTeller;
  /** null: nothing is remembered */
  readonly items: RememberedItems | null;
  readonly errors: WrittenErrors;
  readonly time: {
    /** Throws when the execution is to go no further: its time is over, or its client is gone. */
    throwIfEnded(): void;
  };
}
