// What waits for slow clients, in one direction: each transfer has its time, and all of them have a sum.

export interface TransferLimits {
  /** time that every transfer has, whatever its size */
  readonly graceMs: number;
  /** for each so many bytes of its size it has a second more */
  readonly minBytesPerSecond: number;
  /** memory that all transfers may take together */
  readonly maxHeldBytes: number;
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
  /** Ends what the client is too slow for. */
  readonly cut: (client: Client) => void;
}

/**
 * The pace that a transfer begins with: four times the least. So a client that has just begun goes after those
 * who have stood still for a few seconds, and before those who have shown that they are faster than this.
 */
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
 * Cuts a transfer that takes longer than `graceMs` and a second for each `minBytesPerSecond` of its size. When all
 * together hold more than `maxHeldBytes`, the slowest go first, until they hold no more than that. The slowest is
 * the one of the least pace: bytes a second, of which the last second counts a half, the one before a quarter, and
 * so on; of the same pace, the one that began first.
 */
export function createTransfers<Client>({ limits, now, progressOf, cut }: TransferOptions<Client>) {
  const transfers = new Map<Client, Transfer>();
  let heldBytes = 0;
  let pacedMs = now();

  function measure(client: Client): void {
    const progress = progressOf(client);
    if (progress === null) {
      end(client);
      return;
    }
    const transfer = transfers.get(client) ?? begin(client, progress);
    heldBytes += progress.heldBytes - transfer.heldBytes;
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

  function end(client: Client): void {
    const transfer = transfers.get(client);
    if (transfer === undefined) return;
    heldBytes -= transfer.heldBytes;
    transfers.delete(client);
  }

  function cutOff(client: Client): void {
    end(client);
    cut(client);
  }

  function cutSlowest(): void {
    // What was last seen of the others may be a second old.
    for (const client of transfers.keys()) measure(client);
    if (heldBytes <= limits.maxHeldBytes) return;
    const slowestFirst = [...transfers].sort(
      ([, a], [, b]) => a.bytesPerSecond - b.bytesPerSecond || a.startedMs - b.startedMs,
    );
    for (const [client, transfer] of slowestFirst) {
      if (heldBytes <= limits.maxHeldBytes) return;
      if (transfer.heldBytes > 0) cutOff(client);
    }
  }

  return {
    /** memory that all transfers take, as last seen */
    get heldBytes() {
      return heldBytes;
    },
    /** Looks at a client of which something may have begun to wait, or waits no longer. */
    update(client: Client): void {
      measure(client);
      if (heldBytes > limits.maxHeldBytes) cutSlowest();
    },
    /** Forgets a client's transfer: a later one has its own time. */
    end,
    /** Takes everybody's pace and cuts those whose time is over: to be called about once a second. */
    sweep(): void {
      const timeMs = now();
      const seconds = (timeMs - pacedMs) / 1_000;
      pacedMs = timeMs;
      if (seconds <= 0) return;
      for (const client of transfers.keys()) measure(client);
      for (const [client, transfer] of transfers) {
        const pace = (transfer.movedBytes - transfer.pacedBytes) / seconds;
        transfer.pacedBytes = transfer.movedBytes;
        transfer.bytesPerSecond = (transfer.bytesPerSecond + pace) / 2;
        const allowedMs = limits.graceMs + (transfer.sizeBytes / limits.minBytesPerSecond) * 1_000;
        if (timeMs - transfer.startedMs > allowedMs) cutOff(client);
      }
      if (heldBytes > limits.maxHeldBytes) cutSlowest();
    },
  };
}
