// One request to the REST face as its parts see it.

import type { AnswerLife } from '../../loaders/answer-expiry.ts';
import type { Loaders } from '../../loaders/loaders.ts';
import type { HttpRequest } from '../exchange.ts';
import type { Query } from './query.ts';

export interface RestRequest {
  readonly asked: Pick<HttpRequest, 'header'>;
  readonly query: Query;
  readonly loaders: Loaders;
  /** of the answer: it is told of everything that the loaders hand out */
  readonly life: AnswerLife;
  /** milliseconds since the epoch */
  readonly now: number;
}
