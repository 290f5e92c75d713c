// The DOI proxy's query parameters as an input.

import { recommendedUrl } from '../../doi/encoding-forms.ts';
import type { DoiName } from '../../doi/name.ts';
import { type ProxyUrlParameters, proxyQuery } from '../../doi/proxy-url.ts';
import { GatewayError } from '../../errors.ts';
import { builder } from '../builder.ts';

export const ProxyUrlInput = builder.inputType('ProxyUrlInput', {
  description: 'The query parameters of the DOI proxy. What is left out or false is not written.',
  fields: (t) => ({
    noRedirect: t.boolean({ description: '`noredirect`: show the handle values instead of redirecting.' }),
    ignoreAliases: t.boolean({ description: '`ignore_aliases`: do not follow HS_ALIAS values.' }),
    auth: t.boolean({ description: '`auth`: ask an authoritative server, past the cache.' }),
    cert: t.boolean({ description: '`cert`: have the answer authenticated.' }),
    indexes: t.intList({ description: '`index=N` each: only the values with these indexes.' }),
    types: t.stringList({ description: '`type=T` each: only the values of these types.' }),
    urlAppend: t.string({ description: '`urlappend=`: appended to the URL that is redirected to.' }),
    locatt: t.stringList({ description: '`locatt=key:value` each: chooses among multiple locations.' }),
    country: t.string({ description: '`country=`: chooses among multiple locations, as ISO 3166 alpha-2.' }),
    showUrls: t.boolean({ description: '`action=showurls`: list the locations as XML.' }),
    nols: t.boolean({ description: '`nols=y`: no redirection to a local service.' }),
  }),
});

const queries = new WeakMap<ProxyUrlParameters, string>();

/** Throws BAD_USER_INPUT for a value that is not whole Unicode characters, since it cannot be encoded. */
export function proxyUrlOrError(name: DoiName, parameters: ProxyUrlParameters): string {
  // An operation reads its arguments once: what follows from them is the same for all its names.
  const query = queries.get(parameters) ?? proxyQuery(wellFormed(parameters));
  queries.set(parameters, query);
  return recommendedUrl(name) + query;
}

function wellFormed(parameters: ProxyUrlParameters): ProxyUrlParameters {
  const texts = [parameters.urlAppend, parameters.country, parameters.types, parameters.locatt].flat();
  if (texts.every((text) => text?.isWellFormed() ?? true)) return parameters;
  throw new GatewayError('BAD_USER_INPUT', {
    message:
      'A parameter holds an unpaired surrogate, which is half a character. Send whole Unicode characters.',
  });
}
