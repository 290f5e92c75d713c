import { expect } from 'vitest';
import { fitsHttpStatus } from '../../src/handle/response-codes.ts';
import { testTable } from '../support/test-table.ts';

const HTTP_STATUSES = [200, 204, 300, 301, 302, 400, 401, 403, 404, 429, 500, 502, 503, 504];

function fitting(responseCode: number): number[] {
  return HTTP_STATUSES.filter((httpStatus) => fitsHttpStatus(responseCode, httpStatus));
}

testTable([
  [1, [200]],
  [200, [200]],
  [100, [404]],
  [2, [500]],
  [3, [503]],
  [7, [503]],
  [4, [400]],
  [102, [400]],
  [301, [400]],
  [302, [300]],
  [303, [300]],
  [401, [401, 403]],
  [402, [401, 403]],
  [403, [401, 403]],
  [404, [401, 403]],
])('a response code of the handle protocol fits one or two HTTP statuses', (responseCode, httpStatuses) => {
  expect(fitting(responseCode)).toEqual(httpStatuses);
});

testTable([0, -1, 5, 999])(
  'an unknown response code fits every HTTP status except success',
  (responseCode) => {
    expect(fitting(responseCode)).toEqual(HTTP_STATUSES.filter((status) => status >= 300));
  },
);
