export const gatewayConfig = {
  deferStream: true,
  executionCancellation: true,
  upstreamCancellation: true,
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') }),
  },
};
