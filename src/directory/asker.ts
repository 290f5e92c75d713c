// On whose behalf the directory is asked.

/** One request of a client. What is asked for it comes out of the client's share of the directory. */
export interface Asker {
  /** of the request: short and plain, for the log and for whoever follows it */
  readonly requestId: string;
  readonly client: Client;
}

export interface Client {
  /** Requests with the same key come from the same client: an address, or an API key. */
  readonly key: string;
  /** null: it may ask as much as its share allows */
  readonly budget: ClientBudget | null;
}

/** Look-ups that neither memory nor a shared cache can answer, in a time. */
export interface ClientBudget {
  /** Rejects with RATE_LIMITED, and takes none, where there are not that many left. */
  take(lookUps: number): Promise<void>;
}

/** What the gateway asks for of its own accord. */
export const OWN_WORK: Asker = { requestId: 'gateway', client: { key: 'gateway', budget: null } };
