// Answers that are there at once where memory has them, and are waited for where it has not.

/**
 * What follows from an answer: at once where it is there, else a promise of it. What `follow` throws is thrown, or
 * rejects the promise.
 */
export function mapAnswer<Answer, Result>(
  answer: Answer | Promise<Answer>,
  follow: (answer: Answer) => Result | Promise<Result>,
): Result | Promise<Result> {
  return answer instanceof Promise ? answer.then(follow) : follow(answer);
}
