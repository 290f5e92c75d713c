// What a tool is, and how one fails.

import { z } from 'zod';
import { type Ask, AskError, type GraphqlError } from '../../ask/ask.ts';

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** for people */
  readonly title: string;
  /** for language models: when to use it, what comes back, one example */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Rejects with a ToolError for everything that the caller can mend or wait for. */
  call(input: z.infer<Input>, context: ToolContext): Promise<ToolResult<z.infer<Output>>>;
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
}

export interface ToolResult<Structured> {
  readonly structured: Structured;
  /** what matters of it in a few lines, for clients that show nothing else */
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

export const DoiInput = z
  .string()
  .min(1)
  .max(MAX_NAME_CHARACTERS)
  .describe('A DOI in any form: "10.1000/182", "https://doi.org/10.1000/182", "doi:10.1000/182".');

export const TextInput = z
  .string()
  .describe('Prose, a reference list, HTML, Markdown, TeX, BibTeX, RIS or CSV; as it is, nothing taken out.');

export const LinkedDoi = z.object({
  doi: z.string().describe('The DOI name, unencoded: "10.1000/456#789".'),
  url: z.string().describe('The link to give to people, correctly encoded.'),
});

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
  const { code, retryable, retryAfterSeconds: seconds } = error.extensions;
  const words = `${code}: ${error.message}`;
  if (retryable !== true) return new ToolError(words);
  const when = typeof seconds === 'number' ? `in ${Math.ceil(seconds)} seconds` : 'later';
  return new ToolError(`${words} This says nothing about whether a DOI exists. Call again ${when}.`);
}
