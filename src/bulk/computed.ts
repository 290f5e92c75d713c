// What is computed from a name needs no gateway: it is filled in also where the gateway cannot be reached.

import { displayForm, recommendedUrl, uriForm, urnForm } from '../doi/encoding-forms.ts';
import { meantBy } from '../doi/find/meant.ts';
import { asciiLookalike } from '../doi/lookalikes.ts';
import { canonicalName, prefixOf, suffixOf } from '../doi/name.ts';
import { parseDoi } from '../doi/parse.ts';
import { DOI_FORMS } from '../doi/recognise.ts';
import { doiWarnings } from '../doi/warnings.ts';
import type { ReadName } from './fields.ts';

/** As the gateway answers, without what the directory says. */
export function readComputed(input: string, form: string | undefined): ReadName {
  const parsed = parseDoi(input, DOI_FORMS.find((known) => known === form) ?? null);
  const meant = meantBy(parsed).map((match) => ({ doi: { name: match.name } }));
  const { name, problem } = parsed;
  if (name === null) return { form: parsed.form, problem, meant, doi: null };
  const doi = {
    name,
    canonicalName: canonicalName(name),
    uri: uriForm(name),
    url: recommendedUrl(name),
    urn: urnForm(name),
    display: displayForm(name),
    prefix: prefixOf(name),
    suffix: suffixOf(name),
    asciiLookalike: asciiLookalike(name),
    warnings: doiWarnings(name).map(({ code, repaired }) => ({
      code,
      repaired: repaired && { name: repaired },
    })),
    exists: null,
    record: null,
    registrationAgency: null,
    redirect: null,
    alias: null,
    suggestions: null,
  };
  return { form: parsed.form, problem: null, meant, doi };
}
