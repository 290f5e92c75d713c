// Faults of the APIs of agencies, as SPEC 10 and issue 22 list them: of an entry, of a response, of a connection.

import type { ServerResponse } from 'node:http';
import { randomNumbers } from '../random-numbers.ts';
import {
  type AgencyApi,
  type AgencyRequest,
  type AgencyResponse,
  type Entry,
  type EntryFault,
  html,
} from './agency-api.ts';

/**
 * Misbehaviours in the response to a list. The gateway can request the names again. MISSING: an entry is left out.
 * STRANGER: there is an entry for a name that was not requested. REFUSES_NAME: a 400 because of one name. REFUSES: a 400
 * without a name. LONG: 38 kB for each name, so that 26 names are more than 1 MB. HUGE: 8 MB.
 */
export const REPAIRABLE = [
  ...(['OTHER_NAME', 'ABOUT_ANOTHER', 'COPY', 'HIDDEN', 'MISSING', 'STRANGER'] as const),
  ...(['REFUSES_NAME', 'REFUSES', 'LONG', 'HUGE'] as const),
];

/** With these faults, names may fail. RATE_LIMITED has a body of HTML. The body of SAYS_503 says another status. */
export const FAILURES = ['RATE_LIMITED', 'SAYS_503', 'EMPTY', 'NO_JSON', 'CUT', 'HANG'] as const;

export type Misbehaviour = (typeof REPAIRABLE)[number] | (typeof FAILURES)[number];

const ENTRY_FAULTS: ReadonlySet<Misbehaviour> = new Set<EntryFault>([
  'OTHER_NAME',
  'ABOUT_ANOTHER',
  'COPY',
  'HIDDEN',
]);

const LONG_BYTES_A_NAME = 38_000;
const HUGE_BYTES = 8_000_000;

type FaultyResponse = (response: AgencyResponse, request: AgencyRequest, api: AgencyApi) => AgencyResponse;

const RESPONSES: Readonly<Partial<Record<Misbehaviour, FaultyResponse>>> = {
  REFUSES_NAME: (_, { names }, api) => api.refusal(names[0] ?? null),
  REFUSES: (_, __, api) => api.refusal(null),
  RATE_LIMITED: () => ({ ...html(429, 'Too many requests'), headers: { 'retry-after': '1' } }),
  SAYS_503: (response) => ({
    ...response,
    status: 500,
    body: { status: 503, message: 'Service Unavailable' },
  }),
  EMPTY: (response) => ({ ...response, body: '' }),
  NO_JSON: (response) => ({ ...response, body: JSON.stringify(response.body).slice(0, -2) }),
  LONG: (response, { names }) => padded(response, names.length * LONG_BYTES_A_NAME),
  HUGE: (response) => padded(response, HUGE_BYTES),
};

/** Spaces after JSON change nothing. */
function padded(response: AgencyResponse, bytes: number): AgencyResponse {
  return { ...response, body: JSON.stringify(response.body) + ' '.repeat(bytes) };
}

/** These faults hide an entry. A response for one name cannot have them: it would say that the work does not exist. */
const HIDES_AN_ENTRY: ReadonlySet<Misbehaviour> = new Set(['OTHER_NAME', 'COPY', 'HIDDEN', 'MISSING']);

const STRANGER = '10.5555/stranger';

/** A request and its API. */
export interface Exchange {
  readonly request: AgencyRequest;
  readonly api: AgencyApi;
}

/** @param at the position of the entry with the fault */
export function withFault(
  entries: readonly Entry[],
  fault: Misbehaviour | null,
  at: number,
  { request, api }: Exchange,
): readonly Entry[] {
  const entry = entries[at];
  if (!entry || fault === null || (request.kind === 'single' && HIDES_AN_ENTRY.has(fault))) return entries;
  if (fault === 'MISSING') return entries.toSpliced(at, 1);
  if (fault === 'STRANGER') return [...entries, api.faulty(entry, 'OTHER_NAME', STRANGER) ?? entry];
  if (!isEntryFault(fault)) return entries;
  const other = entries.find((each) => each !== entry);
  return entries.with(at, api.faulty(entry, fault, other ? api.nameOf(other) : STRANGER) ?? entry);
}

function isEntryFault(fault: Misbehaviour): fault is EntryFault {
  return ENTRY_FAULTS.has(fault);
}

/** Sends the remaining bytes of an honest response. Returns the status, or null if there is no response. */
export function send(
  response: ServerResponse,
  honest: AgencyResponse,
  fault: Misbehaviour | null,
  { request, api }: Exchange,
): number | null {
  if (fault === 'HANG') return null;
  const sent = (fault && RESPONSES[fault]?.(honest, request, api)) ?? honest;
  response.writeHead(sent.status, { ...honest.headers, ...sent.headers, 'content-type': sent.type });
  const text = typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body);
  if (fault === 'CUT') response.write(text.slice(0, text.length / 2), () => response.destroy());
  else response.end(text);
  return sent.status;
}

/** A response has one of the faults with this probability. The same seed gives the same faults. */
export function faultsByChance(seed: number, probability: number, faults: readonly Misbehaviour[]) {
  const random = randomNumbers(seed);
  return (): Misbehaviour | null =>
    random() < probability ? (faults[Math.floor(random() * faults.length)] ?? null) : null;
}
