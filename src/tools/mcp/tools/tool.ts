// What a tool is, and how one fails.

import { z } from 'zod';
import { recommendedUrl } from '../../../doi/encoding-forms.ts';
import type { DoiName } from '../../../doi/name.ts';
import type { Turns } from '../../../time.ts';
import { type Ask, AskError, type GraphqlError } from '../../gateway-client/ask.ts';
import { longestWaitSeconds, remedyFor } from '../../gateway-client/ask-each.ts';

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** for people */
  readonly title: string;
  /** for language models: when to use it, what comes back, one example */
  readonly description: string;
  /** arguments; others are refused */
  readonly input: Input;
  readonly output: Output;
  /** Rejects with a ToolError for everything that the caller can mend or wait for. */
  call(input: z.infer<Input>, context: ToolContext): Promise<ToolResult<WithNulls<z.infer<Output>>>>;
}

export interface ToolGateway {
  readonly ask: Ask;
  /** look-ups that one operation may make; null where that is not known */
  readonly maxLookups: number | null;
  /** its directory is the sample that comes with the gateway: what that lacks may well be registered */
  readonly isSample: boolean;
}

export interface ToolContext {
  readonly gateway: ToolGateway;
  readonly signal: AbortSignal;
  /** Long work of a tool runs in slices of the event loop that it shares with all others. */
  readonly turns: Turns;
}

export interface ToolResult<Structured> {
  readonly structured: Structured;
  /** the most important of it in a few lines, for clients that show nothing else */
  readonly text: string;
}

/** Its message is for the language model: what is wrong, where, and what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** A tool whose `call` knows the types of its own schemas. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool {
  return tool as unknown as Tool;
}

/** Longer names and inputs are no DOI that anybody registered. */
export const MAX_NAME_CHARACTERS = 2_000;

/** In any form. */
export const DoiInput = z.string().max(MAX_NAME_CHARACTERS);

export const TextInput = z.string().describe('As it is, markup included.');

export const FromInput = z.int().min(0).optional().describe('`continueAt` of the call before.');

export const ContinueAt = z.int().optional().describe('There is more: call again from there.');

export const LinkedDoi = z.object({
  doi: z.string(),
  url: z.string().optional(),
});

/** An object whose members are all texts. To list them in each tool would fill the list of tools. */
export const Texts = z.record(z.string(), z.string());

const RESOLVER = 'https://doi.org/';

/** In lists the link stands only where it is not `https://doi.org/` and the name. */
export function listedDoi(doi: DoiName): { readonly doi: DoiName; readonly url: string | null } {
  const { url } = linkedDoi(doi);
  return { doi, url: url === RESOLVER + doi ? null : url };
}

export function linkedDoi(doi: DoiName): { readonly doi: DoiName; readonly url: string } {
  return { doi, url: recommendedUrl(doi) };
}

/** The data, where all of it was answered. Rejects with a ToolError that says what kept it from that. */
export async function dataOf<Data>(
  ask: Ask,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Data> {
  const { data, errors } = await answerOf<Data>(ask, document, variables, signal);
  const [error] = errors;
  if (error !== undefined) throw toolError(error);
  return data as Data;
}

/** The data, with what is missing from it. Rejects with a ToolError where there is none. */
export async function answerOf<Data>(
  ask: Ask,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<{ readonly data: Data; readonly errors: readonly GraphqlError[] }> {
  const { data, errors } = await ask<Data>(document, variables, signal).catch((error: unknown) => {
    throw error instanceof AskError ? new ToolError(`NO_GATEWAY: ${error.message} Call again later.`) : error;
  });
  if (data === null) throw toolError(errors[0]);
  return { data, errors };
}

/** What failed and what to do about it. */
export function toolError(error: GraphqlError | undefined): ToolError {
  if (error === undefined) return new ToolError('The gateway gave no answer. Call again later.');
  const remedy = remedyFor(error);
  const words = `${error.extensions.code}: ${error.message}`;
  if (remedy !== 'later' && remedy !== 'outage') return new ToolError(words);
  const seconds = longestWaitSeconds([error]);
  const when = seconds === null ? 'later' : `in ${Math.ceil(seconds)} seconds`;
  const what =
    remedy === 'later'
      ? `Call again ${when}.`
      : `Do not call again at once: the gateway has waited for the directory, and tries it again ${when}.`;
  return new ToolError(`${words} This says nothing about whether a DOI exists. ${what}`);
}

// Members that are null are left out of what a tool returns.

/** The same with null where a member may be left out: a tool names every member, so none is forgotten. */
export type WithNulls<Value> = Value extends readonly (infer Item)[]
  ? readonly WithNulls<Item>[]
  : Value extends object
    ? {
        readonly [Key in keyof Value]-?:
          | WithNulls<Exclude<Value[Key], undefined>>
          | (undefined extends Value[Key] ? null : never);
      }
    : Value;

export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** For a list that may be left out. */
export function nullIfEmpty<Item>(list: readonly Item[]): readonly Item[] | null {
  return list.length === 0 ? null : list;
}
