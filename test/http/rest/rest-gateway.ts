// The REST face of a gateway over a fake directory. The client sends targets unchanged.

import { parse } from 'parse5';
import { onTestFinished } from 'vitest';
import {
  createFakeDirectory,
  type FakeDirectory,
  type FakeDirectoryOptions,
  type RecordBehaviour,
  urlValue,
} from '../../support/fake-directory.ts';
import { startGateway } from '../../support/gateway.ts';
import { type RawResponse, rawRequest } from '../../support/raw-http.ts';

export type Headers = Readonly<Record<string, string>>;

export interface RestGateway {
  readonly url: string;
  get(target: string, headers?: Headers): Promise<RawResponse>;
  send(method: string, target: string, headers?: Headers): Promise<RawResponse>;
  /** the names whose records were looked up, without prefixes */
  lookedUp(): string[];
  readonly prefixCalls: FakeDirectory['prefixCalls'];
  readonly calls: FakeDirectory['calls'];
}

export interface RestOptions extends FakeDirectoryOptions {
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a gateway whose records are fresh. A random choice takes the first candidate. */
export async function startRest({ env = {}, ...options }: RestOptions = {}): Promise<RestGateway> {
  const directory = createFakeDirectory({ now: Date.now(), ...options });
  const gateway = await startGateway({ directory, random: () => 0 }, env);
  onTestFinished(gateway.close);
  const send = (method: string, target: string, headers: Headers = {}) =>
    rawRequest(gateway.url, target, { method, headers });
  return {
    url: gateway.url,
    send,
    get: (target, headers) => send('GET', target, headers),
    lookedUp: () => directory.calls.resolve.map(({ name }) => name),
    calls: directory.calls,
    prefixCalls: directory.prefixCalls,
  };
}

export const value = (type: string, text: string, index = 1): unknown => urlValue(text, { type, index });
export const url = (text: string): RecordBehaviour => [urlValue(text)];
export const aliasTo = (target: string): RecordBehaviour => [value('HS_ALIAS', target)];
export const locations = (inside: string, index = 2): unknown =>
  value('10320/loc', `<locations>${inside}</locations>`, index);

/** `[302, 'https://…']`. The location is null if the response has no location. */
export function statusAndLocation({ status, headers }: RawResponse): [status: number, location: unknown] {
  return [status, headers['location'] ?? null];
}

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** the text of the element and its descendants */
  readonly text: string;
}

interface Node {
  readonly nodeName: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
}

/** All elements of a page, as a browser parses it, in document order. */
export function elementsOf(html: string): Element[] {
  const visit = (node: Node): Element[] => [
    {
      name: node.nodeName,
      attributes: Object.fromEntries((node.attrs ?? []).map(({ name, value }) => [name, value])),
      text: textOf(node),
    },
    ...(node.childNodes ?? []).flatMap(visit),
  ];
  return visit(parse(html) as Node).filter(({ name }) => !name.startsWith('#'));
}

function textOf({ value, childNodes = [] }: Node): string {
  return value ?? childNodes.map(textOf).join('');
}

const INERT = new Set(
  'html head meta title style body main h1 p a code table caption thead tbody tr th td'.split(' '),
);

/** The elements and attributes of a page that could run code or load a resource. */
export function executableIn(html: string): string[] {
  return elementsOf(html).flatMap(({ name, attributes }) => [
    ...(INERT.has(name) ? [] : [name]),
    ...Object.entries(attributes)
      .filter(
        ([key, text]) => /^(?:on|src|style|http-equiv)/i.test(key) || /^\s*(?:javascript|data):/i.test(text),
      )
      .map(([key, text]) => `${name} ${key}=${text}`),
  ]);
}
