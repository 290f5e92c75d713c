// The limit that docs/federation.md gives, and each estimate in the response.
export const gatewayConfig = {
  demandControl: { listSize: 100, maxCost: 25000, includeExtensionMetadata: true },
};
