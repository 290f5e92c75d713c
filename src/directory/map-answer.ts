/** Applies `follow` to an answer: at once if memory had the answer, else when its promise resolves. */
export function mapAnswer<Answer, Result>(
  answer: Answer | Promise<Answer>,
  follow: (answer: Answer) => Result | Promise<Result>,
): Result | Promise<Result> {
  return answer instanceof Promise ? answer.then(follow) : follow(answer);
}
