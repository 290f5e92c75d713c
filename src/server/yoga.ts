// The GraphQL server: /graphql, and what stands beside it on the same origin.

import { createYoga, type Plugin } from 'graphql-yoga';
import type { Config } from '../config.ts';
import type { Directory } from '../directory/directory.ts';
import type { RandomSource } from '../handle/choose-location.ts';
import { createLoaders } from '../loaders/loaders.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { GatewayContext } from '../schema/builder.ts';
import { schema } from '../schema/index.ts';
import { useAcceptedTypes } from './accepted-types.ts';
import { createDocumentCaches, useDocumentLimits } from './document-limits.ts';
import { useGraphiql } from './graphiql.ts';
import { useInspector } from './inspector.ts';
import { createErrorMask, useErrorMask } from './mask-error.ts';
import { useOperationMetrics } from './measure-operations.ts';
import { useOpenCors } from './open-cors.ts';
import { useReferenceExecutor } from './reference-executor.ts';
import { useRequestBody } from './request-body.ts';
import { useUnknownPath } from './unknown-path.ts';

export const GRAPHQL_PATH = '/graphql';

export interface GraphqlServerOptions {
  readonly config: Config;
  readonly directory: Directory;
  readonly log: Log;
  readonly random: RandomSource;
  readonly metrics: Metrics;
  /** answers beside GraphQL, such as /healthz */
  readonly endpoints: readonly Plugin[];
}

export function createGraphqlServer(options: GraphqlServerOptions) {
  const { config, directory, log, random, metrics, endpoints } = options;
  const maskError = createErrorMask(log);
  return createYoga<object, GatewayContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    context: ({ request }) => ({
      loaders: createLoaders({ directory, signal: request.signal, maxLookups: config.MAX_LOOKUPS }),
      directory: directory.description,
      maxComplexity: config.MAX_COMPLEXITY,
      random,
    }),
    maskedErrors: { maskError },
    cors: false,
    maxRequestBodySize: config.MAX_BODY_BYTES,
    parserAndValidationCache: createDocumentCaches(),
    multipart: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    plugins: [
      useOpenCors(),
      ...endpoints,
      useGraphiql({ endpoint: GRAPHQL_PATH }),
      useInspector({ endpoint: GRAPHQL_PATH, publicUrl: config.PUBLIC_URL }),
      useUnknownPath(GRAPHQL_PATH),
      useAcceptedTypes(GRAPHQL_PATH),
      useRequestBody(),
      useDocumentLimits(config.MAX_QUERY_TOKENS),
      useReferenceExecutor(),
      useErrorMask(maskError),
      useOperationMetrics(metrics.graphqlSeconds),
    ] as Plugin[],
  });
}
