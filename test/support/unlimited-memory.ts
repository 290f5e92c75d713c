// A reservation and an account that always have bytes.

import { MemoryShare } from '../../src/memory/memory-share.ts';
import type { Reservation } from '../../src/memory/reservation.ts';

export const UNLIMITED_RESERVATION: Reservation = {
  admitRequest: () => undefined,
  admitBody: () => undefined,
  admitOperation: () => undefined,
  grow: () => true,
  shrink: () => undefined,
  growResponse: () => true,
  admitDownload: () => true,
  settle: () => true,
  close: () => undefined,
};

export const unlimitedAccount = () => ({
  isMemoryScarce: false,
  heads: new MemoryShare(Number.MAX_SAFE_INTEGER),
});
