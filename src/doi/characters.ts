// What a single character is: for telling characters apart that look alike.

import { rememberCharacters } from './remember-characters.ts';

/** The general categories of graphic characters, of which DOI names are made. */
const CATEGORIES = 'Ll Lu Lt Lm Lo Nd Nl No Mn Mc Me Pd Ps Pe Pi Pf Pc Po Sm Sc Sk So Zs'
  .split(' ')
  .map((name) => [name, new RegExp(`\\p{General_Category=${name}}`, 'u')] as const);

/** The general category of a graphic character: `Ll` for a lower-case letter. */
export const categoryOf = rememberCharacters((character: string): string => {
  // What the runtime knows no other category of is not assigned in its version of Unicode.
  return CATEGORIES.find(([, holds]) => holds.test(character))?.[0] ?? 'Cn';
});
