// Runs the vectors with the package doi-names. Plain JavaScript: an installed package is checked by any version of Node,
// and by Chromium.

/**
 * @param {typeof import('../../src/doi/library.ts')} library
 * @param {import('../../src/doi/library.ts').Lookalikes} lookalikes
 * @param {any} vectors the rows of test/fixtures/vectors by file, and `find`
 * @returns {{ passed: Record<string, number>, failures: string[] }}
 */
export function checkVectors({ parse, forms, equivalence, warnings, find }, lookalikes, vectors) {
  const literal = (/** @type {string} */ name) => {
    const { name: read } = parse(name, { form: 'NAME' });
    if (read === null) throw new Error(`${name} is not a DOI name.`);
    return read;
  };
  /** @type {Record<string, (row: any) => [actual: unknown, expected: unknown]>} */
  const checks = {
    parse({ input, form, name = null, detected, error = null }) {
      const read = parse(input, { form });
      const isForm = detected === undefined || detected === read.form;
      return [
        [read.name, read.problem?.code ?? null, isForm],
        [name, error, true],
      ];
    },
    encoding({ id, ...written }) {
      const { uri, ...others } = forms(literal(written.name));
      return [
        { uri, id: uri, ...others },
        { id, ...written },
      ];
    },
    equivalence({ a, b, equivalent, relation }) {
      const compared = equivalence(a, b, lookalikes);
      return [
        [compared.equivalent, compared.relation],
        [equivalent, relation],
      ];
    },
    warnings({ name, code, position, repaired }) {
      const found = warnings(literal(name), lookalikes);
      const warning = found.find((each) => each.code === code);
      // A row without a code is about mistakes of copying, and RESERVED_SUFFIX about an old document.
      const isQuiet = found.every((each) => each.code === 'RESERVED_SUFFIX');
      return code === null
        ? [isQuiet, true]
        : [
            [warning?.position, warning?.repaired],
            [position, repaired],
          ];
    },
    find({ text, names }) {
      return [
        find(text).map(({ name }) => name.toLowerCase()),
        names.map((/** @type {string} */ name) => name.toLowerCase()),
      ];
    },
  };

  /** @type {Record<string, number>} */
  const passed = {};
  /** @type {string[]} */
  const failures = [];
  for (const [what, check] of Object.entries(checks)) {
    passed[what] = 0;
    for (const row of vectors[what]) {
      const [actual, expected] = check(row).map(sorted);
      if (actual === expected) passed[what] += 1;
      else failures.push(`${what}: ${JSON.stringify(row)} gave ${actual}`);
    }
  }
  return { passed, failures };
}

/** As JSON, the properties of an object in one order. @param {unknown} value */
function sorted(value) {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return JSON.stringify(isObject ? Object.entries(value).sort() : value);
}
