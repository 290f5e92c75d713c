// How long the directory takes to answer lately, and so how long a request may hold a slot that another client needs.

export interface AnswerTimes {
  /** milliseconds that a quarter of the answers took less than; 0 before the first one */
  readonly typicalMs: number;
  /** after which a slot above a client's share can be taken back */
  readonly limitMs: number;
  answered(ms: number): void;
  takenBack(): void;
}

const LIMIT_MS = 500;
const MAX_TYPICAL_MS = 10_000;
/** A step up for a slower answer, three down for a faster one: it comes to rest where three of four are slower. */
const STEP = 1.1;

/** A quarter, since who wants slots to be kept for long must not make it look as if all answers took long. */
export function createAnswerTimes(slots: number): AnswerTimes {
  let typicalMs = 0;
  let takenBackInARow = 0;
  return {
    get typicalMs() {
      return typicalMs;
    },
    get limitMs() {
      // Where every slot was taken back and no answer came, the directory is slow for everybody.
      const doublings = Math.min(5, Math.floor(takenBackInARow / slots));
      return Math.max(LIMIT_MS, 2 * typicalMs) * 2 ** doublings;
    },
    answered(ms) {
      takenBackInARow = 0;
      const next = typicalMs === 0 ? ms : typicalMs * (ms > typicalMs ? STEP : STEP ** -3);
      typicalMs = Math.min(MAX_TYPICAL_MS, Math.max(1, next));
    },
    takenBack() {
      takenBackInARow += 1;
    },
  };
}
