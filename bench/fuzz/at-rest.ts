// What a gateway's metrics say that it still holds when nothing is asked of it.

/** Gauges that are at rest at this value, summed over their labels. */
const AT_REST: Readonly<Record<string, number>> = {
  doi_gateway_work_bytes: 0,
  // The request that reads the metrics.
  doi_gateway_http_requests_in_flight: 1,
};

/** `[]`: nothing. A gauge that is missing shows nothing, so it is no rest. */
export function heldIn(metrics: string): string[] {
  return Object.entries(AT_REST).flatMap(([name, rest]) => {
    const values = [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
    const sum = values.reduce((total, [, value]) => total + Number(value), 0);
    if (values.length === 0) return [`${name} missing`];
    return sum >= 0 && sum <= rest ? [] : [`${name} ${sum}`];
  });
}
