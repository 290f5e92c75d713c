/** What memory holds is there at once, all else is a promise. */
export type Soon<T> = T | Promise<T>;

/** @param otherwise what becomes of an error, whether it is thrown or rejected with */
export function attempt<T>(work: () => Soon<T>, otherwise: (error: unknown) => T): Soon<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(otherwise) : result;
  } catch (error) {
    return otherwise(error);
  }
}
