// Asks for the agencies of many names, a group after the other: a name that waits holds little until it is asked for.

/** As many as two or three requests of the Which RA service have room for. */
export const AGENCIES_AT_ONCE = 250;

/**
 * A promise a name, in their order. A group is asked for when all of the one before it have ended.
 * @param ask begins what is asked for one group
 */
export function agenciesInGroups<Name, Answer>(
  names: readonly Name[],
  signal: AbortSignal,
  ask: (group: readonly Name[]) => readonly Promise<Answer>[],
): readonly Promise<Answer>[] {
  if (names.length <= AGENCIES_AT_ONCE) return ask(names);
  const answers: Promise<Answer>[] = [];
  let asked: Promise<readonly Promise<Answer>[]> = Promise.resolve([]);
  for (let from = 0; from < names.length; from += AGENCIES_AT_ONCE) {
    const group = names.slice(from, from + AGENCIES_AT_ONCE);
    asked = asked.then(async (last) => {
      await Promise.allSettled(last);
      signal.throwIfAborted();
      return ask(group);
    });
    for (let at = 0; at < group.length; at += 1) {
      answers.push(asked.then((begun) => begun[at] as Promise<Answer>));
    }
  }
  return answers;
}
