// The data of a handle value: an interface, and an implementation for each format.

import {
  type HandleAdminData,
  type HandleBinaryData,
  type HandleData,
  type HandleKeyData,
  type HandleOtherData,
  type HandleReference,
  type HandleSiteData,
  type HandleStringData,
  type HandleValueListData,
  textOf,
} from '../handle/data.ts';
import { grantedPermissions, HANDLE_PERMISSIONS } from '../handle/permissions.ts';
import { builder } from './builder.ts';

const TYPE_NAMES: Record<HandleData['kind'], string> = {
  string: 'HandleStringData',
  binary: 'HandleBinaryData',
  admin: 'HandleAdminData',
  vlist: 'HandleValueListData',
  site: 'HandleSiteData',
  key: 'HandleKeyData',
  other: 'HandleOtherData',
};

export const HandleDataInterface = builder.interfaceRef<HandleData>('HandleData').implement({
  description: 'The data of a value, by its format. Implementations are added as formats become known.',
  fields: (t) => ({
    format: t.exposeString('format', {
      description: 'As the directory names it: `string`, `base64`, `admin`, …',
    }),
  }),
  resolveType: ({ kind }) => TYPE_NAMES[kind],
});

export const HandleReferenceType = builder.objectRef<HandleReference>('HandleReference').implement({
  description: 'A value of a handle: `200/1` at index 300.',
  fields: (t) => ({ handle: t.exposeString('handle'), index: t.exposeInt('index') }),
});

const HandlePermissionEnum = builder.enumType('HandlePermission', {
  description: 'What an administrator of a handle may do.',
  values: HANDLE_PERMISSIONS,
});

builder.objectRef<HandleStringData>('HandleStringData').implement({
  description: 'Text.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({ value: t.exposeString('value') }),
});

builder.objectRef<HandleBinaryData>('HandleBinaryData').implement({
  description: 'Bytes, which the directory sent as `base64` or `hex`.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({
    base64: t.string({ resolve: ({ bytes }) => bytes.toString('base64') }),
    hex: t.string({ description: 'In lower case.', resolve: ({ bytes }) => bytes.toString('hex') }),
    byteLength: t.int({ resolve: ({ bytes }) => bytes.byteLength }),
    text: t.string({
      nullable: true,
      description: 'The bytes as UTF-8; null if they are not.',
      resolve: textOf,
    }),
  }),
});

builder.objectRef<HandleAdminData>('HandleAdminData').implement({
  description: 'Who may administer the handle: the administrator is a value of another handle.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({
    handle: t.exposeString('handle'),
    index: t.exposeInt('index'),
    permissions: t.exposeString('permissions', {
      description: 'The bit mask as sent: `011111110010`, leftmost LIST_HANDLES, rightmost ADD_HANDLE.',
    }),
    grants: t.field({
      type: [HandlePermissionEnum],
      description: 'What the bit mask allows.',
      resolve: ({ permissions }) => grantedPermissions(permissions),
    }),
    legacyByteLength: t.exposeBoolean('legacyByteLength', {
      description: 'The value is stored in an old encoding of its length.',
    }),
  }),
});

builder.objectRef<HandleValueListData>('HandleValueListData').implement({
  description: 'A list of references, for example the members of an administrator group.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({
    references: t.field({ type: [HandleReferenceType], resolve: ({ references }) => [...references] }),
  }),
});

builder.objectRef<HandleSiteData>('HandleSiteData').implement({
  description: 'A handle service site: its servers, addresses and keys.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({ site: t.field({ type: 'JSON', nullable: true, resolve: ({ site }) => site }) }),
});

builder.objectRef<HandleKeyData>('HandleKeyData').implement({
  description: 'A public key, mostly as a JSON Web Key.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({ key: t.field({ type: 'JSON', nullable: true, resolve: ({ key }) => key }) }),
});

builder.objectRef<HandleOtherData>('HandleOtherData').implement({
  description: 'A format that this gateway does not know, its value as it came.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({ value: t.field({ type: 'JSON', nullable: true, resolve: ({ value }) => value }) }),
});
