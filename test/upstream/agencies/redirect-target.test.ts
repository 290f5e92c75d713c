import { expect, test } from 'vitest';
import { serviceTarget } from '../../../src/upstream/agencies/public-addresses.ts';

const BASE = 'https://doi.org/';

test.each(['8.8.8.8', '10.0.0.1', '169.254.169.254', '[2606:4700::1]', '[fe80::1]'])(
  'an address is not followed to, even where it is listed: %s',
  (host) => {
    expect(serviceTarget(`https://${host}/works`, BASE, new Set([host]))).toBeNull();
  },
);

test.each(['127.0.0.1:8080', '[::1]:8080', 'localhost:8080'])(
  'this machine is, with its port, where it is listed: %s',
  (host) => {
    const location = `http://${host}/works?a=b#c`;
    expect(serviceTarget(location, BASE, new Set([host]))).toEqual({
      origin: `http://${host}`,
      host,
      path: '/works?a=b',
    });
    expect(serviceTarget(location, BASE, new Set())).toBeNull();
  },
);
