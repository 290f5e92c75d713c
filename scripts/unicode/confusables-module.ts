// Writes packages/doi-names/src/confusables-data.ts: Unicode's look-alike data in a form that loads fast.

export interface Confusables {
  readonly version: string;
  /** by code point: its replacement in a skeleton */
  readonly prototypes: ReadonlyMap<number, string>;
}

/** Reads confusables.txt of UTS #39: `0430 ; 0061 ; MA # …`. Throws for a line that it cannot read. */
export function parseConfusables(text: string): Confusables {
  const version = /^# Version: (\d+\.\d+\.\d+)$/m.exec(text)?.[1];
  if (version === undefined) throw new Error('The file does not say which version of Unicode it is of.');
  const prototypes = new Map<number, string>();
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    const data = line.replace(/#.*$/, '').trim();
    if (data === '') continue;
    const [source, target, kind, ...rest] = data.split(';').map((part) => part.trim());
    if (!source || !target || kind !== 'MA' || rest.length > 0) throw new Error(`Not a mapping: ${line}`);
    prototypes.set(codePoint(source), String.fromCodePoint(...target.split(' ').map(codePoint)));
  }
  return { version, prototypes };
}

function codePoint(hex: string): number {
  if (!/^[0-9A-F]{4,6}$/.test(hex)) throw new Error(`Not a code point: ${hex}`);
  return Number.parseInt(hex, 16);
}

/**
 * A group for each prototype: its code points joined by `+`, `:`, and the code points that it stands for, each as
 * the distance from the one before. Groups are divided by `;`, all numbers are base 36.
 */
export function encodeConfusables({ prototypes }: Confusables): string {
  const groups = new Map<string, number[]>();
  for (const [source, target] of [...prototypes].sort(([a], [b]) => a - b)) {
    groups.set(target, [...(groups.get(target) ?? []), source]);
  }
  return [...groups].map(([target, sources]) => `${base36([...target])}:${distances(sources)}`).join(';');
}

function base36(characters: readonly string[]): string {
  return characters.map((character) => character.codePointAt(0)?.toString(36)).join('+');
}

function distances(sources: readonly number[]): string {
  return sources.map((source, at) => (source - (sources[at - 1] ?? 0)).toString(36)).join(' ');
}

/** The whole source of the module. */
export function confusablesModule(text: string): string {
  const confusables = parseConfusables(text);
  return `// The look-alikes of Unicode ${confusables.version} (UTS #39), made by \`npm run unicode\` from scripts/unicode/confusables.txt.
// Copyright © 2025 Unicode, Inc. Unicode and the Unicode Logo are registered trademarks of Unicode, Inc. in the U.S.
// and other countries. SPDX-License-Identifier: Unicode-3.0, see data/unicode-license.txt.

/** Groups, separated by ";". A group: the prototype, ":", and the distances in base 36 between its look-alikes. */
export const CONFUSABLES =
  '${encodeConfusables(confusables)}';
`;
}
