/** Names hold few different characters; somebody who sends all there are makes it begin anew. */
const MAX_CHARACTERS = 4_000;

/** The function, which works out each character once as long as they are few. */
export function rememberCharacters<Value>(
  workOut: (character: string) => Value,
): (character: string) => Value {
  const known = new Map<string, Value>();
  return (character) => {
    const before = known.get(character);
    if (before !== undefined) return before;
    if (known.size === MAX_CHARACTERS) known.clear();
    const value = workOut(character);
    known.set(character, value);
    return value;
  };
}
