// The type DOIDirectory: it describes the directory in which the gateway looks names up.

import type { DirectoryDescription } from '../../directory/directory.ts';
import { builder, describedEnum } from '../builder.ts';

const KindEnum = describedEnum('DOIDirectoryKind', 'The kinds of directory.', {
  EMBEDDED: "Records in the gateway's memory.",
  PROXY: 'A DOI proxy over HTTP, such as https://doi.org.',
});

const DirectoryType = builder.objectRef<DirectoryDescription>('DOIDirectory').implement({
  description: 'The directory in which the gateway looks up records and registration agencies.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: KindEnum,
      description: 'The kind: records come from memory, or from a DOI proxy.',
    }),
    baseUrls: t.exposeStringList('baseUrls', {
      description: 'The addresses of the proxies, in the order of use. Empty for the embedded directory.',
    }),
    records: t.exposeInt('records', {
      nullable: true,
      description: 'The number of records in the directory. Null if unknown, as for a DOI proxy.',
    }),
    description: t.exposeString('description', {
      description: 'For people: a sentence about the directory.',
    }),
  }),
});

builder.queryField('doiDirectory', (t) =>
  t.field({
    type: DirectoryType,
    nullable: true,
    description: 'Where the records come from: the embedded directory, or a DOI proxy.',
    resolve: (_root, _args, { directory }) => directory,
  }),
);
