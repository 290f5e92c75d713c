// What waits for slow clients, in one direction: each transfer has its time.

// Time for what looks at something every so often: the process's own, or one that a test moves on.

export interface Ticker {
  /** milliseconds that only go forward */
  now(): number;
  /** Returns what stops it. */
  every(ms: number, run: () => void): () => void;
}

export const systemTicker: Ticker = {
  now: () => performance.now(),
  every(ms, run) {
    // Counted from the end of a run, so that slow ones do not pile up.
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
  /** time that every transfer has, whatever its size */
  readonly graceMs: number;
  /** for each so many bytes of its size it has a second more */
  readonly minBytesPerSecond: number;
}

/** How far the transfer of one client is. Bytes are counted from any beginning, always the same. */
export interface Progress {
  /** left out: when it is first looked at */
  readonly startedMs?: number;
  /** the memory it takes now */
  readonly heldBytes: number;
  /** what the client has taken, or sent */
  readonly movedBytes: number;
  /** where `movedBytes` began, and where it is to arrive as far as that is known: time is given for the difference */
  readonly startBytes: number;
  readonly endBytes: number;
}

export interface TransferOptions<Client> {
  readonly limits: TransferLimits;
  /** milliseconds that only go forward */
  readonly now: () => number;
  /** null where nothing waits for the client, or no longer */
  readonly progressOf: (client: Client) => Progress | null;
  /** Whether requests wait for the memory that transfers hold. */
  readonly isMemoryScarce: () => boolean;
  /** Ends what the client is too slow for. */
  readonly cut: (client: Client) => void;
}

/** A transfer that holds less is no obstacle to others. */
const MUCH_BYTES = 64_000;

/** The pace that a transfer begins with: one that stands still is below the least pace after three seconds. */
const FIRST_BYTES_PER_SECOND = 64_000;

interface Transfer {
  readonly startedMs: number;
  readonly startBytes: number;
  heldBytes: number;
  movedBytes: number;
  sizeBytes: number;
  /** `movedBytes` when the pace was last taken */
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
    /** Looks at a client for which something may have begun to wait, or waits no longer. */
    update: measure,
    /** Forgets a client's transfer: a later one has its own time. */
    end,
    /** Takes the pace of all transfers and cuts those that are too slow: to be called about once a second. */
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
