// The GraphQL server: /graphql, and what stands beside it on the same origin.

import { createYoga, type Plugin } from 'graphql-yoga';
import type { Config } from '../../config.ts';
import type { Clock, Directory } from '../../directory/directory.ts';
import type { RandomSource } from '../../handle/choose-location.ts';
import { useAcceptedTypes } from '../../http/accepted-types.ts';
import { useCacheControl } from '../../http/cache-control.ts';
import { useConditionalGet } from '../../http/conditional-get.ts';
import { useOpenCors } from '../../http/open-cors.ts';
import { useGraphiql } from '../../http/pages/graphiql.ts';
import { useInspector } from '../../http/pages/inspector.ts';
import { inspectorDocuments } from '../../http/pages/inspector-documents.ts';
import { useRequestBody } from '../../http/request-body.ts';
import { useUnknownPath } from '../../http/unknown-path.ts';
import { createAnswerLife } from '../../loaders/answer-expiry.ts';
import { createLoaders } from '../../loaders/loaders.ts';
import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics.ts';
import type { GatewayContext } from '../../schema/builder.ts';
import { schema } from '../../schema/index.ts';
import { createDocumentCaches, useDocumentLimits } from '../document-limits.ts';
import { createErrorMask, useErrorMask } from '../mask-error.ts';
import { useOperationMetrics } from '../measure-operations.ts';
import type { OperationManifest } from '../persisted/operation-manifest.ts';
import { usePersistedOperations } from '../persisted/persisted-operations.ts';
import { useIncrementalDelivery } from './incremental-delivery.ts';
import { useIncrementalRules } from './incremental-rules.ts';
import { withIncrementalDelivery } from './incremental-schema.ts';
import { useResponseLimit } from './limit-response.ts';
import { useStreamHeaders } from './stream-headers.ts';

export const GRAPHQL_PATH = '/graphql';

const servedSchema = withIncrementalDelivery(schema);

/** What a document has to heed before it is executed. */
const documentPlugins = (config: Config): Plugin[] => [
  useDocumentLimits(config.MAX_QUERY_TOKENS),
  useIncrementalRules(),
];

/** Says of a document's text what is wrong with it; null where it could be executed. */
export function createDocumentCheck(config: Config): (document: string) => string | null {
  const { parse, validate } = createYoga({
    schema: servedSchema,
    plugins: documentPlugins(config),
    logging: false,
  }).getEnveloped({});
  return (document) => {
    try {
      const errors: readonly Error[] = validate(servedSchema, parse(document));
      return errors.map(({ message }) => message).join(' ') || null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

export interface GraphqlServerOptions {
  readonly config: Config;
  readonly directory: Directory;
  readonly log: Log;
  readonly random: RandomSource;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly manifest: OperationManifest;
  /** answers beside GraphQL, such as /healthz */
  readonly endpoints: readonly Plugin[];
}

export function createGraphqlServer(options: GraphqlServerOptions) {
  const { config, directory, log, random, clock, metrics, manifest, endpoints } = options;
  const maskError = createErrorMask(log);
  return createYoga<object, GatewayContext>({
    schema: servedSchema,
    graphqlEndpoint: GRAPHQL_PATH,
    context: ({ request: { signal } }) => {
      const life = createAnswerLife();
      return {
        loaders: createLoaders({ directory, signal: () => signal, maxLookups: config.MAX_LOOKUPS, life }),
        life,
        directory: directory.description,
        maxComplexity: config.MAX_COMPLEXITY,
        random,
      };
    },
    maskedErrors: { maskError },
    cors: false,
    maxRequestBodySize: config.MAX_BODY_BYTES,
    parserAndValidationCache: createDocumentCaches(),
    multipart: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    plugins: [
      useOpenCors(GRAPHQL_PATH),
      ...endpoints,
      useGraphiql({ endpoint: GRAPHQL_PATH }),
      useInspector({
        endpoint: GRAPHQL_PATH,
        publicUrl: config.PUBLIC_URL,
        directory: directory.description,
      }),
      useUnknownPath(GRAPHQL_PATH),
      useAcceptedTypes(GRAPHQL_PATH),
      useRequestBody(),
      usePersistedOperations({
        manifest,
        only: config.PERSISTED_ONLY,
        ownOperations: inspectorDocuments(),
      }),
      ...documentPlugins(config),
      useIncrementalDelivery(maskError, config.MAX_RESPONSE_BYTES),
      useStreamHeaders(),
      useResponseLimit(config.MAX_RESPONSE_BYTES, maskError),
      useErrorMask(maskError),
      useOperationMetrics(metrics.graphqlSeconds),
      useCacheControl(clock),
      useConditionalGet(),
    ] as Plugin[],
  });
}
