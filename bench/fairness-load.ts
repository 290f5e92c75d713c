// The loads beside which an honest client is measured, in a process of their own. Each client has an address.

import { Agent, request } from 'undici';

export interface LoadOrder {
  readonly url: string;
  readonly clients: number;
  /** of each request */
  readonly names: number;
  /** how the names begin: `silent` ones are never answered, `reset` ones have their connection reset */
  readonly kind: 'cold' | 'silent' | 'reset';
  /** asked with auth and cert, past the cache */
  readonly past?: boolean;
  /** each client leaves after a while, and asks anew so often */
  readonly leavesAfterMs?: number;
  readonly everyMs?: number;
}

/** `answered` and `failed` names since the start, and the codes of the errors. */
export interface LoadReport {
  readonly answered: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** Of one list. */
const MAX_NAMES = 1_000;

let answered = 0;
const errors: Record<string, number> = {};

function bodyOf({ names, kind, past }: LoadOrder, prefix: string): string {
  const inputs = Array.from({ length: names }, (_, index) => `10.5555/${kind}-${prefix}-${index}`);
  const record = past ? 'record(auth: true, cert: true)' : 'record';
  const half = Math.ceil(names / Math.ceil(names / MAX_NAMES));
  return JSON.stringify({
    query: `query ($a: [String!]!, $b: [String!]!) {
      a: dois(inputs: $a) { ${record} { status } } b: dois(inputs: $b) { ${record} { status } } }`,
    variables: { a: inputs.slice(0, half), b: inputs.slice(half) },
  });
}

interface Answer {
  readonly data?: Readonly<Record<string, readonly { readonly record: unknown }[]>>;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function ask(order: LoadOrder, dispatcher: Agent, prefix: string): Promise<void> {
  const signal = order.leavesAfterMs === undefined ? null : AbortSignal.timeout(order.leavesAfterMs);
  try {
    const { body } = await request(`${order.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bodyOf(order, prefix),
      dispatcher,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const answer = (await body.json()) as Answer;
    for (const list of Object.values(answer.data ?? {})) {
      answered += list.filter(({ record }) => record !== null).length;
    }
    for (const { extensions } of answer.errors ?? []) {
      errors[extensions.code] = (errors[extensions.code] ?? 0) + 1;
    }
  } catch {
    // It has left, or the gateway has ended.
    await new Promise((done) => setTimeout(done, 10));
  }
}

async function play(order: LoadOrder, client: number): Promise<void> {
  const dispatcher = new Agent({ localAddress: `127.0.0.${client + 2}`, connections: 32 });
  const prefix = `${order.past ? 'past-' : ''}${client}`;
  for (let round = 0; ; round += 1) {
    const asked = ask(order, dispatcher, `${prefix}-${round}`);
    if (order.everyMs === undefined) await asked;
    else await new Promise((done) => setTimeout(done, order.everyMs));
  }
}

process.on('message', (order: LoadOrder | 'report') => {
  if (order === 'report') process.send?.({ answered, errors } satisfies LoadReport);
  else for (let client = 0; client < order.clients; client += 1) void play(order, client);
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
