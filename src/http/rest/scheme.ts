// TO BE REPLACED by `withoutScheme` of src/doi/recognise.ts, which has the rules of URNs and schemes.

/** The schemes the proxy takes before a name; in a URN the first `:` before any `/` divides. */
export function withoutScheme(encoded: string): string {
  const scheme = /^(?:doi:|hdl:|info:doi\/|info:hdl\/|urn:doi:|urn:hdl:)/i.exec(encoded)?.[0] ?? '';
  const name = encoded.slice(scheme.length);
  return /^urn:/i.test(scheme) ? name.replace(/^([^:/]*):/, '$1/') : name;
}
