// The permission bits of an HS_ADMIN value, from both ends of the mask.

import { describe, expect, test } from 'vitest';
import { grantedPermissions, HANDLE_PERMISSIONS } from '../../src/handle/data.ts';
import { testTable } from '../support/test-table.ts';

/** From the leftmost of the twelve characters. */
const FROM_THE_LEFT = [
  'LIST_HANDLES',
  'READ_VALUE',
  'ADD_ADMIN',
  'REMOVE_ADMIN',
  'MODIFY_ADMIN',
  'ADD_VALUE',
  'REMOVE_VALUE',
  'MODIFY_VALUE',
  'DELETE_DERIVED_PREFIX',
  'ADD_DERIVED_PREFIX',
  'DELETE_HANDLE',
  'ADD_HANDLE',
];
const FROM_THE_RIGHT = FROM_THE_LEFT.toReversed();

describe('a mask of twelve bits', () => {
  testTable(FROM_THE_LEFT.map((permission, position) => [position, permission]))(
    'grants by its character %d from the left %s alone',
    (position, permission) => {
      const mask = Array.from({ length: 12 }, (_, index) => (index === position ? '1' : '0')).join('');
      expect(grantedPermissions(mask)).toEqual([permission]);
    },
  );

  test('grants everything with all bits and nothing with none', () => {
    expect(new Set(grantedPermissions('111111111111'))).toEqual(new Set(FROM_THE_LEFT));
    expect(grantedPermissions('000000000000')).toEqual([]);
  });

  test('withholds LIST_HANDLES and the two of derived prefixes in that of many DOI names', () => {
    const granted: readonly string[] = grantedPermissions('011111110011');
    expect(FROM_THE_LEFT.filter((permission) => !granted.includes(permission))).toEqual([
      'LIST_HANDLES',
      'DELETE_DERIVED_PREFIX',
      'ADD_DERIVED_PREFIX',
    ]);
  });
});

testTable(Array.from({ length: 12 }, (_, length) => length))(
  'a mask of %d bits grants the rightmost permissions',
  (length) => {
    expect(new Set(grantedPermissions('1'.repeat(length)))).toEqual(new Set(FROM_THE_RIGHT.slice(0, length)));
  },
);

test('bits to the left of the twelve grant nothing and shift nothing', () => {
  expect(grantedPermissions('1111000000000001')).toEqual(['ADD_HANDLE']);
  expect(grantedPermissions('0000100000000000')).toEqual(['LIST_HANDLES']);
  expect(grantedPermissions(`${'1'.repeat(1_000)}000000000000`)).toEqual([]);
});

test('the table counts from the right', () => {
  expect(HANDLE_PERMISSIONS).toEqual(FROM_THE_RIGHT);
});
