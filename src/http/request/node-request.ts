// An HttpRequest from a request of node:http.

import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../errors.ts';
import type { Reservation } from '../../memory/reservation.ts';
import { HttpRequester } from './clients/http-requester.ts';
import type { ClientRequest, Clients } from './clients/identify-client.ts';
import { bodyIncomplete, bodyTooLarge, CollectedBody, limitBytes } from './collected-body.ts';
import type { HttpRequest } from './exchange.ts';
import { hasBody, type IncomingRequest } from './incoming-request.ts';
import { bodyEncodingOf, readUnpacked } from './unpack-body.ts';

/** Makes the signal and the requester at first use, because many requests need neither. */
export class NodeRequest implements HttpRequest, ClientRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly reservation: Reservation;
  readonly #request: IncomingMessage & Pick<Partial<IncomingRequest>, 'isHeld'>;
  readonly #response: ServerResponse;
  readonly #clients: Clients;
  #requester: HttpRequester | undefined;
  #controller: AbortController | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    clients: Clients,
    reservation: Reservation,
  ) {
    const target = originForm(request.url ?? '/');
    const mark = target.indexOf('?');
    this.method = request.method ?? 'GET';
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
    this.reservation = reservation;
    this.#request = request;
    this.#response = response;
    this.#clients = clients;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  get address(): string {
    return this.#request.socket.remoteAddress ?? NO_ADDRESS;
  }

  get requester(): HttpRequester {
    this.#requester ??= new HttpRequester(this, this.#clients);
    return this.#requester;
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    // Each look-up can add a listener. Without this line, Node warns of a leak at more than ten listeners.
    setMaxListeners(0, controller.signal);
    if (this.#response.closed) controller.abort();
    else this.#response.once('close', () => controller.abort());
    return controller.signal;
  }

  body(maxBytes: number): Promise<Buffer> {
    const request = this.#request;
    const length = request.headers['content-length'];
    const isPacked = bodyEncodingOf(this) !== 'identity';
    if (Number(length ?? 0) > maxBytes) return Promise.reject(bodyTooLarge());
    // Without Content-Length, and after unpacking, the body can be as long as allowed.
    const bytes = length === undefined || isPacked ? maxBytes : Number(length);
    if (bytes <= SMALL_BODY_BYTES || !hasBody(request)) return this.#read(maxBytes);
    const admission = this.reservation.admitBody(bytes, this);
    if (admission === undefined) return this.#read(maxBytes);
    // The limits for slow clients do not apply while the gateway itself makes the body wait.
    request.isHeld = true;
    return admission
      .finally(() => {
        request.isHeld = false;
      })
      .then(() => this.#read(maxBytes));
  }

  #read(maxBytes: number): Promise<Buffer> {
    const request = this.#request;
    const encoding = bodyEncodingOf(this);
    if (encoding !== 'identity') return readUnpacked(request, encoding, maxBytes);
    const body = new CollectedBody(Number(request.headers['content-length'] ?? 0));
    return new Promise((resolve, reject) => {
      request.on('data', (chunk: Buffer) => {
        if (body.bytes + chunk.length <= maxBytes) body.add(chunk);
        else {
          body.drop();
          reject(bodyTooLarge());
        }
      });
      // Not `once`, which makes two more objects for each event. These events come only once.
      request.on('end', () => resolve(body.whole()));
      request.on('error', (cause) => reject(bodyIncomplete(cause)));
      request.on('close', () => request.complete || reject(bodyIncomplete()));
    });
  }

  async *bodyParts(maxBytes: number): AsyncGenerator<Uint8Array> {
    const request = this.#request;
    try {
      if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge();
      yield* limitBytes(request.iterator({ destroyOnReturn: false }), maxBytes);
      if (!request.complete) throw bodyIncomplete();
    } catch (error) {
      throw error instanceof GatewayError ? error : bodyIncomplete(error);
    } finally {
      dropBody(request);
    }
  }
}

/** Reads the rest of the body and drops it. Some senders read the response only after they have sent the whole body. */
function dropBody(request: IncomingMessage): void {
  request.on('error', () => {});
  request.resume();
}

/** The address of a client that has closed the connection. */
const NO_ADDRESS = 'gone';

/** A body up to this size does not wait for memory. It arrives with the first packets of the request. */
const SMALL_BODY_BYTES = 16_000;

/** Returns path and query of the target. Removes scheme and host of the absolute form (RFC 9112, section 3.2.2). */
function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}
