// Limits the time of transfers to or from slow clients.

/** A clock with repeated timers. Tests inject another one. */
export interface Ticker {
  /** Milliseconds. Never goes back. */
  now(): number;
  /** Calls `run` again and again. Returns a function that stops it. */
  every(ms: number, run: () => void): () => void;
}

export const systemTicker: Ticker = {
  now: () => performance.now(),
  every(ms, run) {
    // Each wait begins at the end of a run, so that slow runs do not overlap.
    const timer = setTimeout(() => {
      run();
      if (!stopped) timer.refresh();
    }, ms).unref();
    let stopped = false;
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  },
};

export interface TransferLimits {
  /** time that every transfer has, independent of its size */
  readonly graceMs: number;
  /** A transfer has one more second for each this many bytes. */
  readonly minBytesPerSecond: number;
}

/** The progress of one client's transfer. Positions are bytes from a fixed beginning. */
export interface Progress {
  /** Default: the time of the first measurement. */
  readonly startedMs?: number;
  /** memory that the transfer uses now */
  readonly heldBytes: number;
  /** bytes that the client has read or sent */
  readonly movedBytes: number;
  /** `movedBytes` at the start, and at the end as far as known. The difference decides the time. */
  readonly startBytes: number;
  readonly endBytes: number;
}

export interface TransferOptions<Client> {
  readonly limits: TransferLimits;
  /** Milliseconds. Never goes back. */
  readonly now: () => number;
  /** Null if no transfer waits for the client. */
  readonly progressOf: (client: Client) => Progress | null;
  /** Whether requests wait for the memory that transfers hold. */
  readonly isMemoryScarce: () => boolean;
  /** Ends the transfer of a client that is too slow. */
  readonly cut: (client: Client) => void;
}

/** A transfer that holds less memory does not block others. */
const MUCH_BYTES = 64_000;

/** The pace at the start. A transfer without progress is below the minimum after three seconds. */
const FIRST_BYTES_PER_SECOND = 64_000;

interface Transfer {
  readonly startedMs: number;
  readonly startBytes: number;
  heldBytes: number;
  movedBytes: number;
  sizeBytes: number;
  /** `movedBytes` at the last measurement of the pace */
  pacedBytes: number;
  bytesPerSecond: number;
}

export type Transfers<Client> = ReturnType<typeof createTransfers<Client>>;

/**
 * Cuts a transfer that takes longer than `graceMs` and a second for each `minBytesPerSecond` of its size. While
 * requests wait for memory, it also cuts a transfer that holds much and is slower than `minBytesPerSecond`. The pace
 * is in bytes a second: the last second counts a half, the one before a quarter, and so on.
 */
export function createTransfers<Client>(options: TransferOptions<Client>) {
  const { limits, now, progressOf, isMemoryScarce, cut } = options;
  const transfers = new Map<Client, Transfer>();
  let pacedMs = now();

  function measure(client: Client): void {
    const progress = progressOf(client);
    if (progress === null) {
      end(client);
      return;
    }
    const transfer = transfers.get(client) ?? begin(client, progress);
    transfer.heldBytes = progress.heldBytes;
    transfer.movedBytes = progress.movedBytes;
    transfer.sizeBytes = Math.max(transfer.sizeBytes, progress.endBytes - transfer.startBytes);
  }

  function begin(client: Client, { startedMs = now(), startBytes, movedBytes }: Progress): Transfer {
    const transfer: Transfer = {
      startedMs,
      startBytes,
      heldBytes: 0,
      movedBytes,
      sizeBytes: 0,
      pacedBytes: movedBytes,
      bytesPerSecond: FIRST_BYTES_PER_SECOND,
    };
    transfers.set(client, transfer);
    return transfer;
  }

  return {
    /** Call it when a transfer of a client may have begun or ended. */
    update: measure,
    /** Ends the record of a client's transfer, so that the next transfer has its own time. */
    end,
    /** Measures the pace of all transfers and cuts slow ones. Call it about once a second. */
    sweep(): void {
      const timeMs = now();
      const seconds = (timeMs - pacedMs) / 1_000;
      pacedMs = timeMs;
      if (seconds <= 0) return;
      const leastPace = isMemoryScarce() ? limits.minBytesPerSecond : 0;
      for (const client of transfers.keys()) measure(client);
      for (const [client, transfer] of transfers) {
        const pace = (transfer.movedBytes - transfer.pacedBytes) / seconds;
        transfer.pacedBytes = transfer.movedBytes;
        transfer.bytesPerSecond = (transfer.bytesPerSecond + pace) / 2;
        const allowedMs = limits.graceMs + (transfer.sizeBytes / limits.minBytesPerSecond) * 1_000;
        const isInTheWay = transfer.heldBytes >= MUCH_BYTES && transfer.bytesPerSecond < leastPace;
        if (!isInTheWay && timeMs - transfer.startedMs <= allowedMs) continue;
        end(client);
        cut(client);
      }
    },
  };

  function end(client: Client): void {
    transfers.delete(client);
  }
}
