// Cache-Control of GraphQL responses: what is left of the life of everything that they contain.

import { BREAK, type DocumentNode, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Clock } from '../directory/directory.ts';
import type { AnswerLife } from '../loaders/answer-expiry.ts';
import type { GatewayContext } from '../schema/builder.ts';
import { isGraphqlJson } from './media-type.ts';

/** Fields that tell of the gateway itself, which another version of it, or another configuration, changes. */
const OF_THE_GATEWAY: ReadonlySet<string> = new Set(['__schema', '__type', '_service', 'doiDirectory']);
const GATEWAY_LIFE_MS = 300_000;

/**
 * `public, max-age=…` where the result may be kept, else `no-store`: with any error in it, or anything that
 * is stale, drawn at random, or asked for past the caches. Refusals are `no-store` as well. What is streamed,
 * and what brings a Cache-Control of its own, is left alone.
 */
export function useCacheControl(clock: Clock): Plugin<GatewayContext> {
  const lives = new WeakMap<Request, AnswerLife>();
  // Documents are parsed once and kept.
  const describing = new WeakMap<DocumentNode, boolean>();

  function describesGateway(document: DocumentNode): boolean {
    const known = describing.get(document) ?? hasField(document, OF_THE_GATEWAY);
    describing.set(document, known);
    return known;
  }

  return {
    onExecute({ args: { document, contextValue } }) {
      const { request, life } = contextValue;
      if (describesGateway(document)) life.restsOn({ freshUntil: clock() + GATEWAY_LIFE_MS, stale: false });
      lives.set(request, life);
    },
    onResultProcess({ request, result }) {
      const hasErrors = 'errors' in result && result.errors !== undefined && result.errors.length > 0;
      if (hasErrors || Array.isArray(result)) lives.delete(request);
    },
    onResponse({ request, response: { status, headers } }) {
      const isResult = isGraphqlJson(headers);
      if (headers.has('cache-control') || !(isResult || status >= 400)) return;
      const seconds = status === 200 ? (lives.get(request)?.secondsFrom(clock()) ?? 0) : 0;
      headers.set('Cache-Control', seconds > 0 ? `public, max-age=${seconds}` : 'no-store');
      if (isResult) headers.append('Vary', 'Accept');
    },
  };
}

function hasField(document: DocumentNode, fields: ReadonlySet<string>): boolean {
  let found = false;
  visit(document, {
    Field({ name }) {
      found = fields.has(name.value);
      return found ? BREAK : undefined;
    },
  });
  return found;
}
