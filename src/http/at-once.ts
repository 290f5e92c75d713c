// What memory holds is a value, all else a promise: these go on with either, and wait for nothing that is there.

export type Soon<T> = T | Promise<T>;

export function whenThere<T, Result>(value: Soon<T>, use: (value: T) => Soon<Result>): Soon<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** @param otherwise what becomes of an error, whether it is thrown or rejected with */
export function attempt<T>(work: () => Soon<T>, otherwise: (error: unknown) => T): Soon<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(otherwise) : result;
  } catch (error) {
    return otherwise(error);
  }
}
