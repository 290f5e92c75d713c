// Executes a planned operation and writes the response as JSON while it executes. It builds no result object.

import { isPromise } from '../time.ts';
import { costOfItem, type Execution, fieldsOfValue, itemsOf, propertyOf } from './execution.ts';
import { FieldFailure, nullFor, type Path, reportFailure } from './field-errors.ts';
import { chargedItems, isGenerator, writeFound } from './found-items.ts';
import { append, isWritten, type WrittenJson } from './pieces.ts';
import type { ListShape, Plan, PlannedField, PlannedFields, Shape } from './plan.ts';
import { priceIn } from './price.ts';
import { itemKey } from './remembered-items.ts';
import { writeLeaf } from './write.ts';
import { type SoonWritten, WrittenParts, writeRemaining } from './written-parts.ts';

/** Returns the value of `data` as JSON. Adds errors to `execution.errors` in order. Throws or rejects with ResponseEnded. */
export function executePlan(plan: Plan, execution: Execution): SoonWritten {
  const reportOrThrow = (error: unknown): WrittenJson => {
    if (!(error instanceof FieldFailure)) throw error;
    return reportFailure(error, execution);
  };
  try {
    const data = writeObject(plan.root, undefined, null, execution);
    return isWritten(data) ? data : data.catch(reportOrThrow);
  } catch (error) {
    return reportOrThrow(error);
  }
}

function writeObject(
  { list, frameBytes }: PlannedFields,
  source: unknown,
  path: Path | null,
  execution: Execution,
): SoonWritten {
  const { usage, slices } = execution;
  usage.addBytes(frameBytes);
  let object: WrittenJson = '{';
  for (let at = 0; at < list.length; at += 1) {
    if (slices.isOver(usage.writtenBytes)) {
      return writeRemainingFields(new WrittenParts(object, usage), list, at, source, path, execution);
    }
    const field = list[at] as PlannedField;
    object = append(object, at === 0 ? field.opening : `,${field.opening}`);
    const value = writeField(field, source, path, execution);
    if (!isWritten(value)) {
      const parts = new WrittenParts(object, usage);
      parts.add(value);
      return writeRemainingFields(parts, list, at + 1, source, path, execution);
    }
    object = append(object, value);
  }
  return append(object, '}');
}

/** Writes the fields after a field whose value is a promise, or after the end of a slice. */
function writeRemainingFields(
  parts: WrittenParts,
  list: readonly PlannedField[],
  from: number,
  source: unknown,
  path: Path | null,
  execution: Execution,
): Promise<WrittenJson> {
  return writeRemaining(parts, { from, count: list.length, end: '}' }, execution, (at, ended) => {
    const field = list[at] as PlannedField;
    parts.add(at === 0 ? field.opening : `,${field.opening}`);
    // A required field is resolved even after the deadline: if this field failed, the whole object would become null.
    parts.add(
      ended === null || field.shape.isRequired
        ? writeField(field, source, path, execution)
        : nullFor(ended, field.shape, field, path, execution),
    );
  });
}

function writeField(
  field: PlannedField,
  source: unknown,
  path: Path | null,
  execution: Execution,
): SoonWritten {
  const { resolve, info, shape, key } = field;
  let result: unknown;
  try {
    const args = field.arguments.valuesIn(execution);
    result = resolve
      ? resolve(source, args, execution.context, info)
      : propertyOf(source, args, field, execution);
  } catch (error) {
    return nullFor(error, shape, field, path, execution, key);
  }
  return writeOrNull(result, shape, field, path, execution, key);
}

/** Writes a value, or the value of a promise. If this fails, calls `nullFor`. */
function writeOrNull(
  value: unknown,
  shape: Shape,
  field: PlannedField,
  outer: Path | null,
  execution: Execution,
  key: string | number,
): SoonWritten {
  if (isPromise(value)) {
    return value.then(
      (settled) => writeOrNull(settled, shape, field, outer, execution, key),
      (error: unknown) => nullFor(error, shape, field, outer, execution, key),
    );
  }
  try {
    const written = writeValue(value, shape, field, outer, execution, key);
    return isWritten(written)
      ? written
      : written.catch((error: unknown) => nullFor(error, shape, field, outer, execution, key));
  } catch (error) {
    return nullFor(error, shape, field, outer, execution, key);
  }
}

/** @param outer the path of the object that has the field, or of the list that has the item */
function writeValue(
  value: unknown,
  shape: Shape,
  field: PlannedField,
  outer: Path | null,
  execution: Execution,
  key: string | number,
): SoonWritten {
  if (value instanceof Error) throw value;
  if (value === null || value === undefined) {
    if (shape.isRequired) {
      const { parentType, fieldName } = field.info;
      throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${fieldName}.`);
    }
    execution.usage.addBytes(4);
    return 'null';
  }
  switch (shape.kind) {
    case 'leaf':
      return writeLeaf(shape.type, value, execution.usage);
    case 'list':
      return writeItems(value, shape, field, { outer, key }, execution);
    case 'object':
      return recallOrWrite(shape.fields(), value, { outer, key }, execution);
    case 'abstract':
      return recallOrWrite(fieldsOfValue(value, shape, field, execution), value, { outer, key }, execution);
  }
}

function recallOrWrite(
  fields: PlannedFields,
  source: unknown,
  path: Path,
  execution: Execution,
): SoonWritten {
  const { items } = execution;
  const key = items && itemKey(fields, source);
  if (items === null || key === null) return writeObject(fields, source, path, execution);
  return (
    items.recall(key, execution) ??
    items.remember(key, execution, () => writeObject(fields, source, path, execution))
  );
}

function writeItems(
  value: unknown,
  shape: ListShape,
  field: PlannedField,
  path: Path,
  execution: Execution,
): SoonWritten {
  const { item, itemPrice } = shape;
  if (itemPrice === null && !isGenerator(value)) return writeList(value, item, field, path, execution);
  const found = isGenerator(value) ? value : itemsOf(value, field);
  const charge = (): void =>
    execution.usage.addCost(itemPrice === null ? costOfItem(item) : priceIn(itemPrice, execution));
  const writer = {
    write: (value: unknown, index: number) => writeOrNull(value, item, field, path, execution, index),
    fail: (reason: unknown, index: number) => nullFor(reason, item, field, path, execution, index),
    hasKnownLength: itemPrice === null,
  };
  return writeFound(chargedItems(found, charge), writer, execution);
}

function writeList(
  value: unknown,
  shape: Shape,
  field: PlannedField,
  path: Path,
  execution: Execution,
): SoonWritten {
  const items = itemsOf(value, field);
  const { usage, slices } = execution;
  usage.addCost(items.length * costOfItem(shape));
  usage.addBytes(1 + Math.max(1, items.length));
  let list: WrittenJson = '[';
  for (let at = 0; at < items.length; at += 1) {
    if (slices.isOver(usage.writtenBytes))
      return writeRemainingItems(new WrittenParts(list, usage), items, at, shape, field, path, execution);
    if (at > 0) list = append(list, ',');
    const item = writeOrNull(items[at], shape, field, path, execution, at);
    if (!isWritten(item)) {
      const parts = new WrittenParts(list, usage);
      parts.add(item);
      return writeRemainingItems(parts, items, at + 1, shape, field, path, execution);
    }
    list = append(list, item);
  }
  return append(list, ']');
}

function writeRemainingItems(
  parts: WrittenParts,
  items: readonly unknown[],
  from: number,
  shape: Shape,
  field: PlannedField,
  path: Path,
  execution: Execution,
): Promise<WrittenJson> {
  return writeRemaining(parts, { from, count: items.length, end: ']' }, execution, (at, ended) => {
    if (at > 0) parts.add(',');
    parts.add(
      ended === null
        ? writeOrNull(items[at], shape, field, path, execution, at)
        : nullFor(ended, shape, field, path, execution, at),
    );
  });
}
