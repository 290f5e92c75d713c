// A reservation that always has bytes, for what is tested without an account.

import type { Reservation } from '../../src/work/reservation.ts';

export const UNLIMITED_WORK: Reservation = {
  admitRequest: () => undefined,
  admitBody: () => undefined,
  admitOperation: () => undefined,
  grow: () => true,
  shrink: () => undefined,
  growResponse: () => true,
  settle: () => true,
  close: () => undefined,
};
