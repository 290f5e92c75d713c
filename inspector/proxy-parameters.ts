// Reads the parameters of a pasted link that choose the target or prevent the redirect. The proxy reads them equally.

import type { Parameters, RedirectInput } from './answers.ts';

export interface LinkRequest {
  readonly reader: RedirectInput;
  readonly shows: 'record' | 'locations' | null;
  readonly refused: boolean;
}

const ON = ['', 'true', 'yes', 'y'];

export function readProxyParameters(parameters: Parameters): LinkRequest {
  const all = (wanted: string) =>
    parameters.flatMap(({ name, value }) => (name === wanted ? [value ?? ''] : []));
  const first = (wanted: string) => all(wanted)[0] ?? null;
  const isOn = (flag: string) => ON.includes(first(flag) ?? 'off');
  const action = first('action');
  const indexes = all('index');
  const locatt = [...all('locatt'), ...(action === 'metadata' ? ['role:metadata'] : [])];
  const country = first('country');
  const urlAppend = first('urlappend');
  const types = all('type');
  const refused = !indexes.every(isIndex);
  return {
    reader: {
      ...(locatt.length > 0 && { locatt }),
      ...(country && { country }),
      ...(urlAppend && { urlAppend }),
      ...(isOn('ignore_aliases') && { ignoreAliases: true }),
      ...(types.length > 0 && { types }),
      ...(indexes.length > 0 && !refused && { indexes: indexes.map(Number) }),
    },
    shows:
      isOn('noredirect') || action === 'showvalues' ? 'record' : action === 'showurls' ? 'locations' : null,
    refused,
  };
}

/** A whole number of 32 bits. */
function isIndex(text: string) {
  return /^[+-]?\d+$/.test(text) && Number(text) === (Number(text) | 0);
}

/** Describes parameters without a field in the reader form. */
export function linkRequestInWords({ reader, shows, refused }: LinkRequest): readonly string[] {
  const { types, indexes, urlAppend, ignoreAliases } = reader;
  return [
    refused && 'An index in the link is not a whole number. The proxy would refuse the link.',
    shows === 'record' &&
      'The link asks the proxy to show the record. So the proxy would not redirect. Without this, the link leads here:',
    shows === 'locations' &&
      'The link asks the proxy to show the locations. So the proxy would not redirect. Without this, the link leads here:',
    ignoreAliases && 'With this link, the proxy does not follow aliases.',
    types && 'With this link, the proxy uses only values of certain types.',
    indexes && 'With this link, the proxy uses only values with certain indexes.',
    urlAppend && 'The link asks to append something to the target.',
  ].flatMap((sentence) => (sentence ? [sentence] : []));
}
