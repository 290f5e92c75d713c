// How long an answer of the directory may be believed at the most.

export const LONGEST_LIFE_MS = 86_400_000;

/** Of an answer that something is not there: it may come to be at any time. */
export const ABSENT_LIFE_MS = 300_000;
