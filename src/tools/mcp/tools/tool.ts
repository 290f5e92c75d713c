// The interface of a tool for agents, its errors, and the parts that several tools share.

import type { DoiName } from 'doi-names';
import { recommendedUrl } from 'doi-names/parts';
import { z } from 'zod';
import type { TurnsOfLongTasks } from '../../../turns.ts';
import { longestWaitSeconds, remedyFor } from '../../gateway-client/batched-queries.ts';
import {
  type GraphqlError,
  NoGatewayError,
  type SendOperation,
} from '../../gateway-client/send-operation.ts';

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** for people */
  readonly title: string;
  /** for language models: when to use it, its result, one example */
  readonly description: string;
  /** the arguments. The server refuses other arguments. */
  readonly input: Input;
  readonly output: Output;
  /** Rejects with a ToolError if the agent can correct the call, or should call again later. */
  call(input: z.infer<Input>, context: ToolContext): Promise<ToolResult<WithNulls<z.infer<Output>>>>;
}

export interface ToolGateway {
  readonly send: SendOperation;
  /** the largest number of look-ups in one operation; null if unknown */
  readonly maxLookups: number | null;
  /** whether the directory is the bundled sample. A name that the sample does not have might still be registered. */
  readonly isSample: boolean;
}

export interface ToolContext {
  readonly gateway: ToolGateway;
  readonly signal: AbortSignal;
  /** lets other tasks run between the slices of a long task */
  readonly turns: TurnsOfLongTasks;
}

export interface ToolResult<Structured> {
  readonly structured: Structured;
  /** a few lines, for clients that show only text */
  readonly text: string;
}

/** The message is for the language model. It has the fault and the remedy. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** Gives `call` the types of the tool's schemas. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool {
  return tool as unknown as Tool;
}

/** No registered DOI has more characters. */
export const MAX_NAME_CHARACTERS = 2_000;

/** A DOI in any form. */
export const DoiInput = z.string().max(MAX_NAME_CHARACTERS);

export const TextInput = z.string().describe('Unchanged, with its markup.');

export const FromInput = z.int().min(0).optional().describe('`continueAt` of the previous call.');

export const ContinueAt = z.int().optional().describe('There is more: use this as `from`.');

export const LinkedDoi = z.object({
  doi: z.string(),
  url: z.string().optional(),
});

/** An object with text members. The schema does not list the members, because the list of tools must be short. */
export const Texts = z.record(z.string(), z.string());

const RESOLVER = 'https://doi.org/';

/** An item of a list. The link is null if it is `https://doi.org/` followed by the unchanged name. */
export function listedDoi(doi: DoiName): { readonly doi: DoiName; readonly url: string | null } {
  const { url } = linkedDoi(doi);
  return { doi, url: url === RESOLVER + doi ? null : url };
}

export function linkedDoi(doi: DoiName): { readonly doi: DoiName; readonly url: string } {
  return { doi, url: recommendedUrl(doi) };
}

/** Sends an operation, and resolves with its data. Rejects with a ToolError if there is any error. */
export async function dataOf<Data>(
  context: ToolContext,
  document: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Data> {
  const { data, errors } = await partialDataOf<Data>(context, document, variables);
  const [error] = errors;
  if (error !== undefined) throw toolError(error);
  return data;
}

/** Sends an operation, and resolves with its data and errors. Rejects with a ToolError if there is no data. */
export async function partialDataOf<Data>(
  { gateway, signal }: ToolContext,
  document: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<{ readonly data: Data; readonly errors: readonly GraphqlError[] }> {
  const { data, errors } = await gateway.send<Data>(document, variables, signal).catch((error: unknown) => {
    throw error instanceof NoGatewayError
      ? new ToolError(`NO_GATEWAY: ${error.message} Call again later.`)
      : error;
  });
  if (data === null) throw toolError(errors[0]);
  return { data, errors };
}

/** Converts the error of an operation to an error of a tool, with the remedy. */
export function toolError(error: GraphqlError | undefined): ToolError {
  if (error === undefined) return new ToolError('The gateway gave no answer. Call again later.');
  const remedy = remedyFor(error);
  const words = `${error.extensions.code}: ${error.message}`;
  if (remedy !== 'later' && remedy !== 'outage') return new ToolError(words);
  const seconds = longestWaitSeconds([error]);
  const when = whenAgain(seconds);
  const advice =
    remedy === 'later'
      ? `Call again ${when}.`
      : `Do not call again at once: the gateway has already waited for the directory. It will try again ${when}.`;
  return new ToolError(`${words} This says nothing about whether a DOI exists. ${advice}`);
}

/** Example: `in 7 seconds`. @param seconds null if the gateway did not state a time */
export function whenAgain(seconds: number | null): string {
  return seconds === null ? 'later' : `in ${Math.max(1, Math.ceil(seconds))} seconds`;
}

/** Has null instead of optional members, so that a tool must write every member. `withoutNulls` removes the nulls. */
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

/** For an optional member: `withoutNulls` then removes an empty list. */
export function nullIfEmpty<Item>(list: readonly Item[]): readonly Item[] | null {
  return list.length === 0 ? null : list;
}
