/** Computes a value from each key once. The value is dropped with its key. */
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
