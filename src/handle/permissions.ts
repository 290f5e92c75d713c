// The permission bits of an HS_ADMIN value (Resolution doc, section 5; RFC 3651).

/** From the rightmost character of the bit mask to the left. */
export const HANDLE_PERMISSIONS = [
  'ADD_HANDLE',
  'DELETE_HANDLE',
  'ADD_DERIVED_PREFIX',
  'DELETE_DERIVED_PREFIX',
  'MODIFY_VALUE',
  'REMOVE_VALUE',
  'ADD_VALUE',
  'MODIFY_ADMIN',
  'REMOVE_ADMIN',
  'ADD_ADMIN',
  'READ_VALUE',
  'LIST_HANDLES',
] as const;

export type HandlePermission = (typeof HANDLE_PERMISSIONS)[number];

/** What a mask such as `011111110010` grants. Bits to the left of the twelve that are known are ignored. */
export function grantedPermissions(mask: string): HandlePermission[] {
  return HANDLE_PERMISSIONS.filter((_, bit) => mask.at(-1 - bit) === '1');
}
