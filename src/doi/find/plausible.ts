// Numbers that are written as a name could be: addresses of machines, versions, dates, ratios, prices.

/** Whether what nothing around it calls a DOI is one. `name` is decoded. */
export function isPlausible(name: string): boolean {
  const slash = name.indexOf('/');
  const code = name.slice(3, slash);
  const suffix = name.slice(slash + 1, slash + 1 + 40);
  if (code.startsWith('0')) return false;
  const parts = code.includes('.') ? code.split('.', 8) : [code];
  const longest = Math.max(...parts.map((part) => part.length));
  if (longest >= 4) return !isDate(code, suffix) && !isRatio(code, suffix);
  // Codes of fewer digits are hardly given out: only what is like nothing else.
  if (parts.length > 1) return false;
  if (longest === 3) return /[0-9A-Z]/.test(suffix) && suffix.length >= 3 && !isRatio(code, suffix);
  return suffix.length >= 6 && alternations(suffix) >= 3;
}

/** `10.2020/11.2020`, `10.2020/2021`, `10.12.2020/14.12.2020`: a month and a year, or a day, and another one. */
function isDate(code: string, suffix: string): boolean {
  return (
    /^(?:\d{1,2}\.)?(?:19|20)\d\d$/.test(code) &&
    /^(?:\d{1,2}(?:\.\d{4})?|(?:19|20)\d\d|\d{1,2}\.\d{1,2}\.\d{2,4})$/.test(suffix)
  );
}

/** `10.1234/20.5678`: two numbers of the same precision. */
function isRatio(code: string, suffix: string): boolean {
  const decimals = /^\d{1,3}[.](\d+)$/.exec(suffix)?.[1];
  return decimals !== undefined && decimals.length === code.length;
}

/** How often letters follow digits, and digits letters: 3 in `2V9F`. */
function alternations(text: string): number {
  return text.match(/[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])/g)?.length ?? 0;
}
