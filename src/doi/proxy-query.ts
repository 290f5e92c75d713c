// Writes the query parameters of the proxy (Resolution doc, section 3).

export interface ProxyUrlParameters {
  readonly noRedirect?: boolean | null | undefined;
  readonly ignoreAliases?: boolean | null | undefined;
  readonly auth?: boolean | null | undefined;
  readonly cert?: boolean | null | undefined;
  readonly indexes?: readonly number[] | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly urlAppend?: string | null | undefined;
  readonly locatt?: readonly string[] | null | undefined;
  readonly country?: string | null | undefined;
  readonly showUrls?: boolean | null | undefined;
  readonly nols?: boolean | null | undefined;
}

/** `?noredirect&type=URL`; empty if there is no parameter. All values must be well-formed UTF-16. */
export function proxyQuery(parameters: ProxyUrlParameters): string {
  const query = [
    ...flag('noredirect', parameters.noRedirect),
    ...flag('ignore_aliases', parameters.ignoreAliases),
    ...flag('auth', parameters.auth),
    ...flag('cert', parameters.cert),
    ...pairs('index', parameters.indexes),
    ...pairs('type', parameters.types),
    ...pairs('urlappend', parameters.urlAppend),
    ...pairs('locatt', parameters.locatt),
    ...pairs('country', parameters.country),
    ...flag('action=showurls', parameters.showUrls),
    ...flag('nols=y', parameters.nols),
  ];
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

function flag(text: string, on: boolean | null | undefined): string[] {
  return on ? [text] : [];
}

function pairs(key: string, values: string | readonly (string | number)[] | null | undefined): string[] {
  if (values === null || values === undefined) return [];
  return [values].flat().map((value) => `${key}=${encodeURIComponent(value)}`);
}
