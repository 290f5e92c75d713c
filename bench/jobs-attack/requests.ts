// Requests to /jobs, each on a connection of its own.

import { type ClientRequest, request } from 'node:http';

let clients = 0;
/** Addresses of clients, as a proxy before the gateway says them. */
export const newClient = (): string => {
  clients += 1;
  return `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`;
};

export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
}

export function send(
  port: number,
  client: string,
  path: string,
  {
    method = 'GET',
    accept = 'application/json',
    body,
  }: { method?: string; accept?: string; body?: string } = {},
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-doi-gateway': 'jobs', 'x-forwarded-for': client, accept };
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, location: response.headers.location }),
      );
    });
    sent.on('error', reject).end(body);
  });
}

/** Opens an event stream and leaves it open. */
export function listen(
  port: number,
  client: string,
  path: string,
): Promise<{ status: number; sent: ClientRequest }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': client, accept: 'text/event-stream' };
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume().on('error', () => undefined);
      resolve({ status: response.statusCode ?? 0, sent });
    });
    sent.on('error', reject).end();
  });
}
