// The permission bits of an HS_ADMIN value.

import { expect, test } from 'vitest';
import { grantedPermissions } from '../../src/handle/data.ts';
import { testTable } from '../support/test-table.ts';

const FROM_THE_LEFT = [
  ...['LIST_HANDLES', 'READ_VALUE', 'ADD_ADMIN', 'REMOVE_ADMIN', 'MODIFY_ADMIN', 'ADD_VALUE', 'REMOVE_VALUE'],
  ...['MODIFY_VALUE', 'DELETE_DERIVED_PREFIX', 'ADD_DERIVED_PREFIX', 'DELETE_HANDLE', 'ADD_HANDLE'],
];
const FROM_THE_RIGHT = FROM_THE_LEFT.toReversed();

testTable(FROM_THE_RIGHT.map((permission, position) => [permission, 2 ** position] as const))(
  'each of twelve bits grants one permission',
  (permission, mask) => {
    expect(grantedPermissions(mask.toString(2).padStart(12, '0'))).toEqual([permission]);
  },
);

testTable(Array.from({ length: 13 }, (_, length) => length))(
  'a shorter mask grants the rightmost permissions',
  (length) => {
    expect(new Set(grantedPermissions('1'.repeat(length)))).toEqual(new Set(FROM_THE_RIGHT.slice(0, length)));
  },
);

test('bits to the left of the twelve grant nothing', () => {
  expect(grantedPermissions('1111000000000001')).toEqual(['ADD_HANDLE']);
  expect(grantedPermissions('0000100000000000')).toEqual(['LIST_HANDLES']);
  expect(grantedPermissions(`${'1'.repeat(1_000)}000000000000`)).toEqual([]);
});
