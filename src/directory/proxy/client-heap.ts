// Clients by their tags, the least on top: a binary heap out of which any of them can be taken.

/** What the heap needs of a client. It keeps the place; the tag must not change while the client is inside. */
export interface Tagged {
  tag: number;
  heapIndex: number;
}

export interface ClientHeap<Client extends Tagged> {
  readonly size: number;
  /** the client with the least tag */
  first(): Client | undefined;
  add(client: Client): void;
  remove(client: Client): void;
}

export function createClientHeap<Client extends Tagged>(): ClientHeap<Client> {
  const clients: Client[] = [];

  function put(client: Client, index: number): void {
    clients[index] = client;
    client.heapIndex = index;
  }

  function rise(client: Client, from: number): void {
    let index = from;
    for (;;) {
      const parent = clients[(index - 1) >> 1];
      if (index === 0 || parent === undefined || parent.tag <= client.tag) break;
      put(parent, index);
      index = (index - 1) >> 1;
    }
    put(client, index);
  }

  function sink(client: Client, from: number): void {
    let index = from;
    for (;;) {
      const left = clients[2 * index + 1];
      const right = clients[2 * index + 2];
      const least = left && right && right.tag < left.tag ? right : left;
      if (least === undefined || least.tag >= client.tag) break;
      const next = least.heapIndex;
      put(least, index);
      index = next;
    }
    put(client, index);
  }

  return {
    get size() {
      return clients.length;
    },
    first: () => clients[0],
    add: (client) => rise(client, clients.length),
    remove(client) {
      const { heapIndex } = client;
      const last = clients.pop();
      if (last === undefined || last === client) return;
      rise(last, heapIndex);
      sink(last, last.heapIndex);
    },
  };
}
