// One request to the REST face as its parts see it.

import type { AnswerLife } from '../../loaders/answer-expiry.ts';
import type { Loaders } from '../../loaders/loaders.ts';
import type { Query } from './query.ts';

export interface RestRequest {
  readonly query: Query;
  /** a request header, by its name in lower case */
  header(name: string): string | undefined;
  readonly loaders: Loaders;
  /** of the answer: it is told of everything that the loaders hand out */
  readonly life: AnswerLife;
  /** milliseconds since the epoch */
  readonly now: number;
}
