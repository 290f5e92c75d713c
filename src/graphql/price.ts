// Computes the price of an operation from the document and the variables, before the operation runs.

import { type GraphQLNamedType, getNamedType, type SelectionSetNode } from 'graphql';
import { GatewayError } from '../errors.ts';
import {
  CHARACTERS_PER_UNIT,
  type FieldPrice,
  INPUT_COST,
  type PricedExtensions,
  type PriceOfArguments,
  sizeOf,
  usualPrice,
} from '../schema/field-price.ts';
import type { AnyField, ArgumentsReader, ArgumentValues, ExecutionArguments } from './arguments.ts';
import { createSumOfSelections, fieldDefinition, type PlanSource } from './selected-fields.ts';

/** The price of an operation; 1 is the price of one computed field. A number if the price is the same for all variables. */
export type Price = number | ((execution: ExecutionArguments) => number);

export function priceIn(price: Price, execution: ExecutionArguments): number {
  return typeof price === 'number' ? price : price(execution);
}

/** The price of the whole operation, with the size of every argument. */
export function createPrice(source: PlanSource): Price {
  const { operation, schema } = source;
  return priceOfSelections(source, [operation.selectionSet], schema.getQueryType());
}

export function priceOfSelections(
  source: Omit<PlanSource, 'operation'>,
  sets: readonly SelectionSetNode[],
  type: GraphQLNamedType | null | undefined,
): Price {
  const { schema } = source;
  const ofSelections = createSumOfSelections<Price>(source, {
    sumOf,
    ofField(node, type, ofSelections) {
      const definition = fieldDefinition(schema, type, node.name.value);
      if (!definition) return 0;
      // Called even for introspection, because `ofSelections` throws if a directive cannot be read.
      const inner = node.selectionSet ? ofSelections(node.selectionSet, getNamedType(definition.type)) : 0;
      // Introspection has its own limit: see document.ts.
      if (definition.name.startsWith('__')) return 1;
      return withSelections(ownPrice(definition, source.readerOf(definition, node)), inner);
    },
    ofFragment: (_, inner) => inner,
  });
  return sumOf(sets.map((set) => ofSelections(set, type)));
}

export class TooExpensive extends GatewayError {
  constructor(price: number, maxPrice: number) {
    super('LIMIT_EXCEEDED', {
      message: `The operation costs ${price}, more than the ${maxPrice} that this gateway allows. An input costs ${INPUT_COST}, each of its fields costs 1, and a field with a look-up costs 20. The price of any other argument is its size. For an input of ${CHARACTERS_PER_UNIT} characters or more, each field costs several times as much. Ask for fewer DOIs or fewer fields at once.`,
    });
  }
}

/** The price of a field without its selections. */
type OwnPrice = FieldPrice | ((execution: ExecutionArguments) => FieldPrice);

function ownPrice(definition: AnyField, reader: ArgumentsReader): OwnPrice {
  const { price } = definition.extensions as PricedExtensions;
  const usual = usualPrice(definition.type);
  if (definition.args.length === 0 && typeof price !== 'function') return price ?? usual;
  const ofArguments =
    typeof price === 'function' ? (price as PriceOfArguments<ArgumentValues>) : withSizes(price ?? usual);
  const own = (execution: ExecutionArguments): FieldPrice => {
    try {
      return ofArguments(reader.valuesIn(execution));
    } catch {
      // The field will fail, because its arguments cannot be read.
      return usual;
    }
  };
  return reader.isConstant ? own(NO_EXECUTION) : own;
}

/** Used in place of an execution if the arguments are constant. */
const NO_EXECUTION: ExecutionArguments = { number: 0, variables: {}, valuesByReader: [], variableReads: 0 };

function withSizes({ field, multiplier }: FieldPrice): PriceOfArguments<ArgumentValues> {
  return (values) => {
    let size = 0;
    for (const value of Object.values(values)) size += sizeOf(value);
    return { field: field + size, multiplier };
  };
}

/** The multiplier of the field applies to its selections. */
function withSelections(own: OwnPrice, inner: Price): Price {
  if (typeof own === 'function') {
    return (execution) => {
      const { field, multiplier } = own(execution);
      return field + multiplier * priceIn(inner, execution);
    };
  }
  const { field, multiplier } = own;
  if (typeof inner === 'number') return field + multiplier * inner;
  return (execution) => field + multiplier * inner(execution);
}

/** Adds prices. The sum is computed once per execution, because a fragment can be spread in several places. */
function sumOf(prices: readonly Price[]): Price {
  const fixed = prices.reduce<number>((sum, price) => sum + (typeof price === 'number' ? price : 0), 0);
  const variable = prices.filter((price) => typeof price === 'function');
  if (variable.length === 0) return fixed;
  let last = 0;
  let cost = 0;
  return (execution) => {
    if (execution.number !== last) cost = variable.reduce((sum, price) => sum + price(execution), fixed);
    last = execution.number;
    return cost;
  };
}
