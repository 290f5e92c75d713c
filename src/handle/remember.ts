// What is read from something that never changes is read once.

/** Remembers what was read from each key, for as long as the key itself lives. */
export function remember<Key extends object, Reading>(read: (key: Key) => Reading): (key: Key) => Reading {
  const readings = new WeakMap<Key, { readonly reading: Reading }>();
  return (key) => {
    const known = readings.get(key);
    if (known) return known.reading;
    const reading = read(key);
    readings.set(key, { reading });
    return reading;
  };
}
