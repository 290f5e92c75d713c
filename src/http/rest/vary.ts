// The Vary header of a redirection: the request headers that the response depends on.

import type { Redirect } from '../../handle/redirect.ts';

export interface VaryOptions {
  /** the request header with the client's country, in lower case; null: the operator has set none */
  readonly countryHeader: string | null;
  /** the base URLs of local services; a reader's cookie chooses one of them */
  readonly localServices: readonly string[];
  /** whether responses can be metadata */
  readonly hasMetadata: boolean;
}

/** The Vary header of a response. Null if the response depends on no request header. */
export function varyOf(
  { dependsOnAccept, dependsOnCountry }: Pick<Redirect, 'dependsOnAccept' | 'dependsOnCountry'>,
  { countryHeader, localServices, hasMetadata }: VaryOptions,
): string | null {
  const hasLocalServices = localServices.length > 0;
  // Only people are redirected to a local service. `Accept` shows whether the client is a person or a program.
  const accept = dependsOnAccept || hasLocalServices || hasMetadata;
  const names = [
    ...(accept ? ['Accept'] : []),
    ...(dependsOnCountry && countryHeader !== null ? [countryHeader] : []),
    ...(hasLocalServices ? ['Cookie'] : []),
  ];
  return names.length === 0 ? null : names.join(', ');
}

/** If responses can be metadata, every response at `/{name}` depends on Accept, also a failure. */
export function varyOfFailure({ hasMetadata }: Pick<VaryOptions, 'hasMetadata'>): string | undefined {
  return hasMetadata ? 'Accept' : undefined;
}
