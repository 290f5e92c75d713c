import type { ReadAtOnce } from './answers.js';

/** Bundled from src/http/pages/read-at-once.ts by `npm run build`. Null in a gateway that is not built. */
export const readAtOnce: ((input: string) => ReadAtOnce | null) | null;
