// The tools as `tools/list` shows them. Their schemas become JSON Schema once, not once for each message.

import { z } from 'zod';
import type { Tool } from './tools/tool.ts';

type StandardSchema = z.ZodObject['~standard'];

export interface ListedTool extends Tool {
  readonly inputSchema: { readonly '~standard': StandardSchema };
  readonly outputSchema: { readonly '~standard': StandardSchema };
}

export function listedTool(tool: Tool): ListedTool {
  return { ...tool, inputSchema: listed(tool.input, 'input'), outputSchema: listed(tool.output, 'output') };
}

function listed(schema: z.ZodObject, io: 'input' | 'output') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => leaveOut(jsonSchema, io),
  });
  const jsonSchema = { input: () => json, output: () => json };
  return { '~standard': { ...schema['~standard'], jsonSchema } };
}

/** A client reads the list again and again: what says nothing to a language model is left out of it. */
function leaveOut(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  // Of a record, whose names are texts in all JSON.
  delete schema.propertyNames;
}
