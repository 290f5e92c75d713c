// Executes a planned operation and writes its answer at once, as JSON: no objects in between.

import type { Execution } from './execution.ts';
import { blame, FieldFailure, nullFor, type Path } from './field-errors.ts';
import { foundItems, isGenerator } from './found-items.ts';
import { appended, isWritten, type Written } from './pieces.ts';
import type { ListShape, Plan, PlannedField, PlannedFields, Shape } from './plan.ts';
import { priceIn } from './price.ts';
import { keyOf } from './remembered-items.ts';
import { costOfItem, fieldsOfValue, itemsOf, nullInRequired, propertyOf } from './resolved-value.ts';
import { writeLeaf } from './write.ts';
import { joined, type Writing, WrittenParts } from './written-parts.ts';

/**
 * The value of `data` as JSON. Errors are left in `execution.errors`, in the order in which they happen.
 * Rejects, or throws, with AnswerTooLarge where there is no end to it.
 */
export function executePlan(plan: Plan, execution: Execution): Writing {
  const failed = (error: unknown): Written => {
    if (!(error instanceof FieldFailure)) throw error;
    return blame(error, execution);
  };
  try {
    const data = writeObject(plan.root, undefined, null, execution);
    return isWritten(data) ? data : data.catch(failed);
  } catch (error) {
    return failed(error);
  }
}

function writeObject(
  { list, frameBytes }: PlannedFields,
  source: unknown,
  path: Path | null,
  execution: Execution,
): Writing {
  const { allowance, slices } = execution;
  allowance.bytes(frameBytes);
  let object: Written = '{';
  for (let at = 0; at < list.length; at += 1) {
    if (slices.isOver(allowance.writtenBytes)) {
      return joined(object, restOfObject(list, at, source, path, execution, null), '}');
    }
    const field = list[at] as PlannedField;
    object = appended(object, at === 0 ? field.opening : `,${field.opening}`);
    const value = writeField(field, source, path, execution);
    if (!isWritten(value)) {
      return joined(object, restOfObject(list, at, source, path, execution, value), '}');
    }
    object = appended(object, value);
  }
  return appended(object, '}');
}

/**
 * The fields from one on, where that one's value is still to come, or a slice is over. All are begun before any is
 * waited for, so that what they ask of the directory goes there in one batch.
 */
async function restOfObject(
  list: readonly PlannedField[],
  from: number,
  source: unknown,
  path: Path | null,
  execution: Execution,
  first: Promise<Written> | null,
): Promise<Written> {
  const parts = new WrittenParts();
  if (first !== null) parts.add(first);
  let ended: unknown = null;
  const { allowance, slices } = execution;
  execution.gate.hold();
  try {
    for (let at = first === null ? from : from + 1; at < list.length; at += 1) {
      if (ended === null && slices.isOver(allowance.writtenBytes)) ended = await endedBefore(execution);
      const field = list[at] as PlannedField;
      parts.add(at === 0 ? field.opening : `,${field.opening}`);
      // What may not be null is written even then: it would take what is around it along.
      parts.add(
        ended === null || field.shape.isRequired
          ? writeField(field, source, path, execution)
          : nullFor(ended, field.shape, field, path, execution),
      );
    }
  } finally {
    execution.gate.release();
  }
  return parts.together();
}

function writeField(field: PlannedField, source: unknown, path: Path | null, execution: Execution): Writing {
  try {
    const { resolve, info } = field;
    const args = field.arguments.valuesIn(execution);
    const result = resolve
      ? resolve(source, args, execution.context, info)
      : propertyOf(source, field.name, args, execution.context, info);
    const value = isPromise(result)
      ? result.then((settled) => writeValue(settled, field.shape, field, path, execution))
      : writeValue(result, field.shape, field, path, execution);
    if (isWritten(value)) return value;
    return value.catch((error: unknown) => nullFor(error, field.shape, field, path, execution));
  } catch (error) {
    return nullFor(error, field.shape, field, path, execution);
  }
}

/** @param path of the object that has the field, or of the list that has the item */
function writeValue(
  value: unknown,
  shape: Shape,
  field: PlannedField,
  outer: Path | null,
  execution: Execution,
  key: string | number = field.key,
): Writing {
  if (value instanceof Error) throw value;
  if (value === null || value === undefined) {
    if (shape.isRequired) throw nullInRequired(field);
    execution.allowance.bytes(4);
    return 'null';
  }
  switch (shape.kind) {
    case 'leaf':
      return writeLeaf(shape.type, value, execution.allowance);
    case 'list':
      return writeItems(value, shape, field, { outer, key }, execution);
    case 'object':
      return writeItem(shape.fields(), value, { outer, key }, execution);
    case 'abstract':
      return writeItem(fieldsOfValue(value, shape, field, execution), value, { outer, key }, execution);
  }
}

function writeItem(fields: PlannedFields, source: unknown, path: Path, execution: Execution): Writing {
  const { items } = execution;
  const key = items && keyOf(fields, source);
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
): Writing {
  if (!isGenerator(value)) return writeList(value, shape, field, path, execution);
  const { allowance, slices, time } = execution;
  const pay = (): void =>
    allowance.pay(shape.itemPrice === null ? costOfItem(shape.item) : priceIn(shape.itemPrice, execution));
  const paid = { ...shape, isPaid: false, itemPrice: null };
  const items = foundItems(value, { allowance, slices, time, pay });
  return isPromise(items)
    ? items.then((found) => writeList(found, paid, field, path, execution))
    : writeList(items, paid, field, path, execution);
}

function writeList(
  value: unknown,
  shape: ListShape,
  field: PlannedField,
  path: Path,
  execution: Execution,
): Writing {
  const items = itemsOf(value, field);
  const { allowance, slices } = execution;
  if (shape.isPaid && shape.itemPrice === null) allowance.pay(items.length * costOfItem(shape.item));
  allowance.bytes(1 + Math.max(1, items.length));
  let list: Written = '[';
  for (let at = 0; at < items.length; at += 1) {
    if (slices.isOver(allowance.writtenBytes))
      return joined(list, restOfList(items, at, shape, field, path, execution, null), ']');
    if (at > 0) list = appended(list, ',');
    const item = writeListItem(items[at], at, shape, field, path, execution);
    if (!isWritten(item)) {
      return joined(list, restOfList(items, at, shape, field, path, execution, item), ']');
    }
    list = appended(list, item);
  }
  return appended(list, ']');
}

async function restOfList(
  items: readonly unknown[],
  from: number,
  shape: ListShape,
  field: PlannedField,
  path: Path,
  execution: Execution,
  first: Promise<Written> | null,
): Promise<Written> {
  const parts = new WrittenParts();
  if (first !== null) parts.add(first);
  let ended: unknown = null;
  const { allowance, slices } = execution;
  execution.gate.hold();
  try {
    for (let at = first === null ? from : from + 1; at < items.length; at += 1) {
      if (ended === null && slices.isOver(allowance.writtenBytes)) ended = await endedBefore(execution);
      if (at > 0) parts.add(',');
      parts.add(
        ended === null
          ? writeListItem(items[at], at, shape, field, path, execution)
          : nullFor(ended, shape.item, field, path, execution, at),
      );
    }
  } finally {
    execution.gate.release();
  }
  return parts.together();
}

function writeListItem(
  item: unknown,
  index: number,
  { item: shape, itemPrice }: ListShape,
  field: PlannedField,
  path: Path,
  execution: Execution,
): Writing {
  try {
    if (itemPrice !== null) execution.allowance.pay(priceIn(itemPrice, execution));
    const value = isPromise(item)
      ? item.then((settled) => writeValue(settled, shape, field, path, execution, index))
      : writeValue(item, shape, field, path, execution, index);
    if (isWritten(value)) return value;
    return value.catch((error: unknown) => nullFor(error, shape, field, path, execution, index));
  } catch (error) {
    return nullFor(error, shape, field, path, execution, index);
  }
}

/** Waits for the next slice; gives why there is nothing to be done in it any more: what is left is null, and says so. */
async function endedBefore({ slices, time }: Execution): Promise<unknown> {
  await slices.next();
  try {
    time.throwIfEnded();
    return null;
  } catch (error) {
    return error;
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
