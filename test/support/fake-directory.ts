// A directory with the results that a test gives it. It logs its calls.

import { canonicalName, type HandleName } from 'doi-names';
import {
  createWhichRaAnswer,
  type Directory,
  type MetadataAnswer,
  type ResolveOptions,
  type WhichRaAnswer,
  type WhichRaVerdict,
} from '../../src/directory/directory.ts';
import { createRecord, type HandleRecord } from '../../src/handle/record.ts';
import { HANDLE_NOT_FOUND, SUCCESS } from '../../src/handle/response-codes.ts';
import { decodeValues } from '../../src/handle/value.ts';
import type { Clock } from '../../src/time.ts';
import { formatKey, type MetadataFormat } from '../../src/works/metadata-format.ts';
import type { CslItem, WorkHistory } from '../../src/works/work.ts';

export interface FakeDirectoryOptions {
  /** by canonical name; the directory does not find other names */
  readonly records?: Readonly<Record<string, RecordBehaviour>>;
  /** by canonical name; other names do not exist */
  readonly agencies?: Readonly<Record<string, AgencyBehaviour>>;
  /** by canonical name; other names have no metadata. Without this option, metadata is off. */
  readonly metadata?: Readonly<Record<string, MetadataBehaviour>>;
  /** by canonical name; content negotiation describes other names */
  readonly histories?: Readonly<Record<string, WorkHistory>>;
  /** URLs of services that take no request now */
  readonly busyServices?: readonly string[];
  readonly now?: number | Clock['now'];
}

/** The content for a name in any format, an error to fail with, or a function that decides. */
export type MetadataBehaviour =
  | CslItem
  | string
  | Error
  | ((name: HandleName, format: MetadataFormat) => Promise<MetadataAnswer['content']>);

/** Values as they come over the wire, a response code, an error to fail with, or a function that decides. */
export type RecordBehaviour =
  | readonly unknown[]
  | number
  | Error
  | ((name: HandleName, options: ResolveOptions) => Promise<HandleRecord>);

/** A verdict or an error to fail with. The verdict is fresh from now on unless it has other times. */
export type AgencyBehaviour = (WhichRaVerdict & Partial<WhichRaAnswer>) | Error;

export interface FakeDirectory extends Directory {
  readonly calls: {
    /** the look-ups of records, without the look-ups of prefixes */
    readonly resolve: { readonly name: HandleName; readonly auth: boolean; readonly cert: boolean }[];
    readonly whichRa: (readonly HandleName[])[];
    /** `csl 10.1000/1`, `citation apa en-US 10.1000/1`; where metadata is on */
    readonly describe?: string[];
  };
  /** the look-ups of prefixes that are not in `records`, as redirects need them: `0.NA/10.1000` */
  readonly prefixCalls: HandleName[];
}

export const NOW = Date.parse('2026-11-20T12:00:00Z');

export function createFakeDirectory(given: FakeDirectoryOptions = {}): FakeDirectory {
  const { records = {}, agencies = {}, metadata, histories = {}, now = NOW } = given;
  const clock = typeof now === 'number' ? () => now : now;
  const described: string[] = [];
  const calls: FakeDirectory['calls'] = {
    resolve: [],
    whichRa: [],
    ...(metadata && { describe: described }),
  };
  const prefixCalls: HandleName[] = [];
  return {
    calls,
    prefixCalls,
    description: { kind: 'EMBEDDED', baseUrls: [], records: 0, description: 'A fake directory.' },
    async resolve(name, options = {}) {
      const known = records[canonicalName(name)];
      if (known === undefined && name.startsWith('0.NA/')) prefixCalls.push(name);
      else calls.resolve.push({ name, auth: options.auth ?? false, cert: options.cert ?? false });
      const behaviour = known ?? HANDLE_NOT_FOUND;
      if (behaviour instanceof Error) throw behaviour;
      if (typeof behaviour === 'function') return behaviour(name, options);
      const isCode = typeof behaviour === 'number';
      const responseCode = isCode ? behaviour : SUCCESS;
      const values = isCode ? [] : decodeValues(behaviour);
      return createRecord({ responseCode, handle: name, values, fetchedAt: clock() });
    },
    whichRa(names) {
      calls.whichRa.push(names);
      return names.map(async (name) => {
        const behaviour = agencies[canonicalName(name)] ?? { status: 'DOES_NOT_EXIST', agency: null };
        if (behaviour instanceof Error) throw behaviour;
        return Object.freeze({ ...createWhichRaAnswer(behaviour, clock()), ...behaviour });
      });
    },
    ...(metadata && {
      async describe(name, format, options = {}) {
        if (options.noRequest) throw options.noRequest;
        described.push(`${formatKey(format)} ${name}`);
        const behaviour = metadata[canonicalName(name)] ?? null;
        if (behaviour instanceof Error) throw behaviour;
        const content = typeof behaviour === 'function' ? await behaviour(name, format) : behaviour;
        const answer = metadataAnswer(content, clock());
        const history = format.kind === 'csl' ? histories[canonicalName(name)] : undefined;
        return history === undefined ? answer : { ...answer, history };
      },
    }),
    isServiceBusy: (url) => given.busyServices?.includes(url) ?? false,
    status: () => ({ available: true, reached: true }),
    async close() {},
  };
}

const DAY_MS = 86_400_000;

function metadataAnswer(content: MetadataAnswer['content'], fetchedAt: number): MetadataAnswer {
  const freshUntil = fetchedAt + (content === null ? DAY_MS / 24 : DAY_MS);
  return { content, source: content === null ? '' : 'Crossref', fetchedAt, freshUntil, stale: false };
}

/** A URL value as the wire has it. */
export function urlValue(url: string, overrides: Readonly<Record<string, unknown>> = {}): unknown {
  return { index: 1, type: 'URL', data: { format: 'string', value: url }, ttl: 86_400, ...overrides };
}
