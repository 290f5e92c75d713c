// What becomes of a query while a subgraph does not answer: an error in plain words at the fields that it knows. The
// others are answered, and it is asked anew each time, so that it is back as soon as it answers.

const PATIENCE_MS = 5_000;

/** A fetch for one subgraph. It says on standard output when that goes away, and when it is back. */
export function fetchFrom(title) {
  let isAway = false;
  return async (url, options) => {
    const { signal } = options;
    const patience = AbortSignal.timeout(PATIENCE_MS);
    try {
      const answer = await fetch(url, {
        ...options,
        signal: signal ? AbortSignal.any([signal, patience]) : patience,
      });
      if (isAway) console.log(`The ${title} answers again.`);
      isAway = false;
      return answer;
    } catch (error) {
      // The client has left: that says nothing about the subgraph.
      if (signal?.aborted) throw error;
      if (!isAway)
        console.log(`The ${title} does not answer at ${url}. What the others know is still answered.`);
      isAway = true;
      const message = `The ${title} does not answer. What it knows is missing here until it is back.`;
      return Response.json({ errors: [{ message, extensions: { code: 'SUBGRAPH_AWAY', subgraph: title } }] });
    }
  };
}
