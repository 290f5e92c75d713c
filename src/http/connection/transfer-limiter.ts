// Limits the time of transfers: responses to clients that read slowly, and bodies of clients that send slowly.

export interface TransferLimits {
  /** the time that each transfer has, whatever its size */
  readonly graceMs: number;
  /** Each transfer gets one more second for every `minBytesPerSecond` bytes of its size. */
  readonly minBytesPerSecond: number;
}

/** The progress of one client's transfer. */
export interface Progress {
  /** default: the time of the first measurement */
  readonly startedMs?: number | undefined;
  /** memory that the transfer uses now */
  readonly heldBytes: number;
  /**
   * The bytes that the client has read or sent so far. A response counts from the start of the connection, a body from the
   * start of the request.
   */
  readonly movedBytes: number;
  /** `movedBytes` at the start of the transfer */
  readonly startBytes: number;
  /** `movedBytes` at the end of the transfer; if the end is unknown, a value that grows with the transfer */
  readonly endBytes: number;
}

interface TransferOptions<Client> {
  readonly limits: TransferLimits;
  /** milliseconds of a clock that never goes back */
  readonly now: () => number;
  /** null: no transfer waits for the client */
  readonly progressOf: (client: Client) => Progress | null;
  /** whether requests wait for memory that transfers use */
  readonly isMemoryScarce: () => boolean;
  /** Ends the transfer of a client that is too slow. */
  readonly cut: (client: Client) => void;
}

/** A transfer that uses less memory than this does not block other requests. */
const MIN_BLOCKING_BYTES = 64_000;

/** The pace at the start. Without progress, the pace of a transfer falls below the minimum after three seconds. */
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

/**
 * Cuts transfers that take too long. The time of a transfer is `graceMs`, and one second for each `minBytesPerSecond`
 * of its size. While requests wait for memory, also cuts large transfers whose pace is below `minBytesPerSecond`. The
 * pace is an average: the last second has the weight 1/2, the second before has 1/4, and so on.
 */
export function createTransferLimiter<Client>(options: TransferOptions<Client>) {
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
    /** Forgets the client's transfer, so that its next transfer has its own time. */
    end,
    /** Measures the pace of all transfers and cuts slow ones. Call it about once a second. */
    sweep(): void {
      const timeMs = now();
      const seconds = (timeMs - pacedMs) / 1_000;
      pacedMs = timeMs;
      if (seconds <= 0) return;
      const minPace = isMemoryScarce() ? limits.minBytesPerSecond : 0;
      for (const client of transfers.keys()) measure(client);
      for (const [client, transfer] of transfers) {
        const pace = (transfer.movedBytes - transfer.pacedBytes) / seconds;
        transfer.pacedBytes = transfer.movedBytes;
        transfer.bytesPerSecond = (transfer.bytesPerSecond + pace) / 2;
        const allowedMs = limits.graceMs + (transfer.sizeBytes / limits.minBytesPerSecond) * 1_000;
        const blocksOthers = transfer.heldBytes >= MIN_BLOCKING_BYTES && transfer.bytesPerSecond < minPace;
        if (!blocksOthers && timeMs - transfer.startedMs <= allowedMs) continue;
        end(client);
        cut(client);
      }
    },
  };

  function end(client: Client): void {
    transfers.delete(client);
  }
}
