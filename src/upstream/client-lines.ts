// Where requests wait: a line for each client, and the rule by which the lines are served.

import { givesWay, weightOf } from '../directory/asker.ts';
import { createTagHeap, type Tagged, type TagHeap } from './question-deadline.ts';

/** A client that waits, has requests running, or did a short while ago. */
export interface Line<Item> extends Tagged {
  readonly client: string;
  /** it is served when no other line waits */
  readonly givesWay: boolean;
  /** its part beside another line of weight 1 */
  readonly weight: number;
  waiting: number;
  /** requests that run on this client's account */
  running: number;
  first: Place<Item> | null;
  last: Place<Item> | null;
  idleSince: number;
}

/** One item's place in one line. An item that several clients wait for has one in each of their lines. */
export interface Place<Item> {
  readonly line: Line<Item>;
  readonly item: Item;
  before: Place<Item> | null;
  behind: Place<Item> | null;
}

export interface ClientLines<Item> {
  /** places in all lines */
  readonly waiting: number;
  /** clients that wait or have requests running */
  readonly busy: number;
  /** those, and the ones that were busy within the last seconds */
  readonly present: number;
  waitingOf(client: string): number;
  /** Puts an item at the end of a client's line. */
  join(client: string, item: Item): Place<Item>;
  leave(place: Place<Item>): void;
  /** The line whose turn it is, whatever it is allowed to have. */
  next(share: number): Line<Item> | undefined;
  /** The longest line. */
  longest(): Line<Item> | undefined;
  /** A request begins that has its turn in this line: the line's next turn is after those of the others. */
  serve(line: Line<Item>): void;
  /** Puts a request that runs on a client's account. To be ended by `discharge`. */
  charge(client: string): Line<Item>;
  discharge(line: Line<Item>): void;
  /** Forgets clients that have not been busy for a while. */
  forgetIdle(): void;
}

const REMEMBERED_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/**
 * Start-time fair queueing: each line has a tag, which is at least the virtual time when it begins to wait, and
 * each turn sets it behind the virtual time. Who asks little is served before those who ask much.
 */
export function createClientLines<Item>(now: () => number): ClientLines<Item> {
  const lines = new Map<string, Line<Item>>();
  /** longest idle first */
  const idle = new Set<Line<Item>>();
  // A request that begins or ends moves one line; there are few numbers of running requests at a time, and three kinds
  // of lines.
  const waitingByRunning = new Map<number, TagHeap<Line<Item>>>();
  /** empty: a client that is alone would need a new one for each request that begins or ends */
  const spareHeaps: TagHeap<Line<Item>>[] = [];
  const byLength: Set<Line<Item>>[] = [];
  let longest = 0;
  let waiting = 0;
  let virtualTime = 0;

  function lineOf(client: string): Line<Item> {
    let line = lines.get(client);
    if (line === undefined) {
      line = {
        client,
        givesWay: givesWay(client),
        weight: weightOf(client),
        tag: virtualTime,
        heapIndex: -1,
        heapNumber: -1,
        waiting: 0,
        running: 0,
        first: null,
        last: null,
        idleSince: 0,
      };
      lines.set(client, line);
    }
    idle.delete(line);
    return line;
  }

  const heapOf = ({ running, givesWay: gives, weight }: Line<Item>) =>
    3 * running + (gives ? (weight < 1 ? 2 : 1) : 0);

  function addToHeap(line: Line<Item>): void {
    let heap = waitingByRunning.get(heapOf(line));
    if (heap === undefined) {
      heap = spareHeaps.pop() ?? createTagHeap();
      waitingByRunning.set(heapOf(line), heap);
    }
    heap.add(line);
  }

  function removeFromHeap(line: Line<Item>): void {
    const heap = waitingByRunning.get(heapOf(line));
    heap?.remove(line);
    if (heap?.size !== 0) return;
    waitingByRunning.delete(heapOf(line));
    spareHeaps.push(heap);
  }

  /** Changes what a line's place in its heap depends on. */
  function change(line: Line<Item>, apply: () => void): void {
    if (line.waiting > 0) removeFromHeap(line);
    apply();
    if (line.waiting > 0) addToHeap(line);
  }

  function setLength(line: Line<Item>, length: number): void {
    byLength[line.waiting]?.delete(line);
    waiting += length - line.waiting;
    line.waiting = length;
    if (length > 0) {
      byLength[length] ??= new Set();
      byLength[length].add(line);
    }
    // Lengths change by one.
    longest = Math.max(longest, length);
    if (byLength[longest]?.size === 0) longest -= 1;
  }

  function restIfIdle(line: Line<Item>): void {
    if (line.waiting + line.running > 0) return;
    line.idleSince = now();
    idle.add(line);
  }

  return {
    get waiting() {
      return waiting;
    },
    get busy() {
      return lines.size - idle.size;
    },
    get present() {
      return lines.size;
    },
    waitingOf: (client) => lines.get(client)?.waiting ?? 0,

    join(client, item) {
      const line = lineOf(client);
      const place: Place<Item> = { line, item, before: line.last, behind: null };
      if (line.last) line.last.behind = place;
      else line.first = place;
      line.last = place;
      setLength(line, line.waiting + 1);
      if (line.waiting === 1) {
        line.tag = Math.max(line.tag, virtualTime);
        addToHeap(line);
      }
      return place;
    },

    leave({ line, before, behind }) {
      if (before) before.behind = behind;
      else line.first = behind;
      if (behind) behind.before = before;
      else line.last = before;
      if (line.waiting === 1) removeFromHeap(line);
      setLength(line, line.waiting - 1);
      restIfIdle(line);
    },

    next(share) {
      let best: Line<Item> | undefined;
      for (const heap of waitingByRunning.values()) {
        const line = heap.first();
        if (line && (!best || isBefore(line, best, share))) best = line;
      }
      return best;
    },

    longest: () => byLength[longest]?.values().next().value,

    serve(line) {
      change(line, () => {
        virtualTime = Math.max(virtualTime, line.tag);
        line.tag = virtualTime + 1 / line.weight;
      });
    },

    charge(client) {
      const line = lineOf(client);
      change(line, () => {
        line.running += 1;
      });
      return line;
    },

    discharge(line) {
      change(line, () => {
        line.running -= 1;
      });
      restIfIdle(line);
    },

    forgetIdle() {
      for (const line of idle) {
        if (now() - line.idleSince < REMEMBERED_MS && idle.size <= MAX_REMEMBERED) break;
        idle.delete(line);
        lines.delete(line.client);
      }
    },
  };
}

/**
 * Of two lines that differ in what they have running: those that do not give way, of them those below their share come first, the least served of them;
 * then those that have least running.
 */
function isBefore(one: Line<unknown>, other: Line<unknown>, share: number): boolean {
  if (one.givesWay !== other.givesWay) return other.givesWay;
  const has = one.running / one.weight;
  const otherHas = other.running / other.weight;
  const isOver = has >= share;
  if (isOver !== otherHas >= share) return !isOver;
  if (isOver) return has < otherHas;
  return one.tag < other.tag || (one.tag === other.tag && has < otherHas);
}
