// The type HandleValue, and its data: an interface with one implementation for each format.

import {
  grantedPermissions,
  type HandleData,
  type HandleDataOf,
  type HandlePermission,
  type HandleReference,
} from '../../handle/data.ts';
import { jsonIn, MAX_JSON_CHARACTERS, serversOf } from '../../handle/typed-data.ts';
import { expiresAtOf, type HandleValue, timestampOf } from '../../handle/value.ts';
import { builder, describedEnum } from '../builder.ts';
import { textIn, textToWrite } from './bytes-as-text.ts';
import { HandleServerType } from './handle-site.ts';

export const HandleValueType = builder.objectRef<HandleValue>('HandleValue').implement({
  description: 'One typed value of a handle record. Its type does not determine the format of its data.',
  fields: (t) => ({
    index: t.exposeInt('index', {
      description: 'The index of the value, unique in the record. The values are not sorted by index.',
    }),
    type: t.exposeString('type', {
      description: 'The type of the value, which can be any string: `URL`, `HS_ADMIN`, `10320/loc`.',
    }),
    data: t.expose('data', {
      type: HandleDataInterface,
      description:
        'The data in its format: `... on HandleAdminData { handle index }`. If you only need text, select `text`.',
    }),
    text: t.string({
      nullable: true,
      description: 'The data as text, if its format is a string or if its bytes are UTF-8. Otherwise null.',
      resolve: ({ data }) => textToWrite(data),
    }),
    ttl: t.exposeInt('ttl', {
      nullable: true,
      description:
        'How long a cache may keep the value, in seconds: 86400. Null if the value expires at a fixed time, or if the directory does not say.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the value expires. Null if it does not expire at a fixed time.',
      resolve: expiresAtOf,
    }),
    timestamp: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the value was last changed. Null if the directory does not say.',
      resolve: timestampOf,
    }),
    permissions: t.exposeString('permissions', {
      nullable: true,
      description:
        'Who may read and write the value: `1110`. The four bits: administrators may read, administrators may write, everybody may read, everybody may write. Null if the directory does not say.',
    }),
    references: t.expose('references', {
      type: [HandleReferenceType],
      description: 'Other values that this value refers to. Mostly empty.',
    }),
  }),
});

const TYPE_NAMES: Record<HandleData['kind'], string> = {
  string: 'HandleStringData',
  binary: 'HandleBinaryData',
  admin: 'HandleAdminData',
  vlist: 'HandleValueListData',
  site: 'HandleSiteData',
  key: 'HandleKeyData',
  other: 'HandleOtherData',
};

const HandleDataInterface = builder.interfaceRef<HandleData>('HandleData').implement({
  description:
    'The data of a value, by its format. New formats get new implementations: clients need a default branch.',
  fields: (t) => ({
    format: t.exposeString('format', {
      description: 'The name of the format at the directory: `string`, `base64`, `admin`, …',
    }),
  }),
  resolveType: ({ kind }) => TYPE_NAMES[kind],
});

const HandleReferenceType = builder.objectRef<HandleReference>('HandleReference').implement({
  description: 'A value of a handle: `200/1` at index 300.',
  fields: (t) => ({
    handle: t.exposeString('handle', { description: 'The handle that has the value: `200/1`.' }),
    index: t.exposeInt('index', { description: 'The index of the value in the record of that handle: 300.' }),
  }),
});

const HandlePermissionEnum = describedEnum<HandlePermission>(
  'HandlePermission',
  'What an administrator of a handle may do.',
  {
    ADD_HANDLE: 'Create handles under the prefix.',
    DELETE_HANDLE: 'Delete the handle and all its values.',
    ADD_DERIVED_PREFIX: 'Create prefixes below the prefix: `10.1000.10` below `10.1000`.',
    DELETE_DERIVED_PREFIX: 'Delete prefixes below the prefix: `10.1000.10` below `10.1000`.',
    MODIFY_VALUE: 'Change values, such as the URL, but not administrators.',
    REMOVE_VALUE: 'Remove values other than administrators.',
    ADD_VALUE: 'Add values other than administrators.',
    MODIFY_ADMIN: 'Change administrators, which are the HS_ADMIN values.',
    REMOVE_ADMIN: 'Remove administrators, which are the HS_ADMIN values.',
    ADD_ADMIN: 'Add administrators, which are the HS_ADMIN values.',
    READ_VALUE: 'Read values that are not public.',
    LIST_HANDLES: 'List the handles under the prefix.',
  },
);

builder.objectRef<HandleDataOf<'string'>>('HandleStringData').implement({
  description: 'Text, such as the URL in a value of the type `URL`.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({
    value: t.exposeString('value', { description: 'The text as stored: `https://www.doi.org/index.html`.' }),
    json: t.field({
      type: 'JSON',
      nullable: true,
      description: `The text as JSON if it is an object or a list, as in values of a registered type: \`{"id": 7}\` for the type \`21.T11148/076759916209e5d62bd5\`. Null for other text, for more than ${MAX_JSON_CHARACTERS} characters, and for numbers that JSON readers would round.`,
      resolve: jsonIn,
    }),
  }),
});

builder.objectRef<HandleDataOf<'binary'>>('HandleBinaryData').implement({
  description: 'Bytes, which the directory sent as `base64` or `hex`.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({
    base64: t.string({
      description: 'The bytes in base64: `AQI=`.',
      resolve: ({ bytes }) => textIn('base64', bytes),
    }),
    hex: t.string({
      description: 'The bytes in hexadecimal, lower case: `0102`.',
      resolve: ({ bytes }) => textIn('hex', bytes),
    }),
    byteLength: t.int({ description: 'The number of bytes.', resolve: ({ bytes }) => bytes.byteLength }),
    text: t.string({
      nullable: true,
      description: 'The bytes as text. Null if the bytes are not UTF-8.',
      resolve: textToWrite,
    }),
  }),
});

builder.objectRef<HandleDataOf<'admin'>>('HandleAdminData').implement({
  description: 'The administrator of the handle. A value of another handle identifies the administrator.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({
    handle: t.exposeString('handle', { description: 'The handle that has the value: `0.NA/10.1000`.' }),
    index: t.exposeInt('index', {
      description: 'The index of the value that identifies the administrator: 200.',
    }),
    permissions: t.exposeString('permissions', {
      description:
        'The bit mask from the directory: `011111110010`. The leftmost bit is LIST_HANDLES, the rightmost bit is ADD_HANDLE.',
    }),
    grants: t.field({
      type: [HandlePermissionEnum],
      description: 'The permissions of the bit mask.',
      resolve: ({ permissions }) => grantedPermissions(permissions),
    }),
    legacyByteLength: t.exposeBoolean('legacyByteLength', {
      description: 'Whether the value is stored with an old encoding of its length.',
    }),
  }),
});

builder.objectRef<HandleDataOf<'vlist'>>('HandleValueListData').implement({
  description: 'A list of references, for example the members of an administrator group.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({
    references: t.expose('references', {
      type: [HandleReferenceType],
      description: 'The members of the list, in order. Can be empty.',
    }),
  }),
});

builder.objectRef<HandleDataOf<'site'>>('HandleSiteData').implement({
  description: 'A handle service site: its servers, addresses and keys.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({
    site: t.expose('site', {
      type: 'JSON',
      nullable: true,
      description:
        'The site as the directory sends it: `{"version": 1, "servers": […], …}`. Null if it sends nothing.',
    }),
    servers: t.field({
      type: [HandleServerType],
      description:
        'The servers of the site: `servers { address interfaces { protocol port } }`. Servers without an address are left out.',
      resolve: ({ site }) => serversOf(site),
    }),
  }),
});

builder.objectRef<HandleDataOf<'key'>>('HandleKeyData').implement({
  description: 'A public key, mostly as a JSON Web Key.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({
    key: t.expose('key', {
      type: 'JSON',
      nullable: true,
      description:
        'The key as the directory sends it: `{"kty": "DSA", "y": "…", …}`. Null if it sends nothing.',
    }),
  }),
});

builder.objectRef<HandleDataOf<'other'>>('HandleOtherData').implement({
  description: 'Data in a format that this gateway does not know.',
  interfaces: [HandleDataInterface],
  fields: (t) => ({
    other: t.expose('value', {
      type: 'JSON',
      nullable: true,
      description: 'The data as the directory sends it, in any shape. Null if it sends nothing.',
    }),
  }),
});
