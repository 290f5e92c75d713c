// Runs the vectors with the package doi-names. Plain JavaScript: an installed package is checked by any version of Node,
// and by Chromium.

/**
 * @param {typeof import('doi-names')} library
 * @param {import('doi-names').Lookalikes} lookalikes
 * @param {any} vectors the cases of checks/conformance/vectors by task
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
    parse({ input: { text, form }, expected, details = {} }) {
      const read = parse(text, { form });
      const isForm = details.form === undefined || details.form === read.form;
      return [
        [read.name, read.problem?.code ?? null, isForm],
        [expected.name, details.problem ?? null, true],
      ];
    },
    encode({ input: { name, form }, expected }) {
      const written = Object.entries(forms(literal(name))).find(([each]) => each === form)?.[1] ?? [];
      return [[written].flat().join(' '), expected.text];
    },
    equivalence({ input: { a, b }, expected, details }) {
      const compared = equivalence(a, b, lookalikes);
      return [
        [compared.equivalent, compared.relation],
        [expected.equivalent, details.relation],
      ];
    },
    warnings({ input: { name }, expected }) {
      const found = warnings(literal(name), lookalikes);
      const among = ({ code = '' } = {}) => found.filter((each) => code === '' || each.code === code);
      return [
        among(expected.warnings[0]).map(({ code, position, repaired }) => ({ code, position, repaired })),
        expected.warnings,
      ];
    },
    find({ input: { text }, expected }) {
      return [find(text).map(({ name }) => name), expected.names];
    },
  };

  /** @type {Record<string, number>} */
  const passed = {};
  /** @type {string[]} */
  const failures = [];
  for (const [what, check] of Object.entries(checks)) {
    passed[what] = 0;
    for (const row of vectors[what]) {
      const [actual, expected] = check(row).map((value) => JSON.stringify(value));
      if (actual === expected) passed[what] += 1;
      else failures.push(`${what}: ${JSON.stringify(row)} gave ${actual}`);
    }
  }
  return { passed, failures };
}
