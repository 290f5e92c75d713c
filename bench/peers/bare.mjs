// The smallest server with the same responses: node:http, JSON.parse, one read of a map, JSON.stringify.

import { createServer } from 'node:http';
import './keep-alive.mjs';
import { handleValues, names, records, workFor } from './data.mjs';

const API = '/api/handles/';
const stored = new Map(
  names.map((handle) => [handle, { responseCode: 1, handle, values: handleValues(handle) }]),
);
const works = new Map(names.map((name) => [name, workFor(name)]));

createServer((request, response) => {
  if (request.method === 'GET') return rest(request.url, response);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { query, variables } = JSON.parse(Buffer.concat(chunks));
    const known = query.startsWith('query W') ? works : records;
    sendJson(response, { data: { dois: variables.n.map((name) => known.get(name)) } });
  });
}).listen(Number(process.env.PORT), '127.0.0.1');

function rest(target, response) {
  if (target.startsWith(API))
    return sendJson(response, stored.get(decodeURIComponent(target.slice(API.length))));
  const url = stored.get(decodeURIComponent(target.slice(1))).values[0].data.value;
  response.writeHead(302, { location: url, 'content-type': 'text/html;charset=utf-8' });
  response.end(`<a href="${url}">${url}</a>`);
}

function sendJson(response, value) {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}
