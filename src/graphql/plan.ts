// Plans an operation: lists the fields of the response in order, with fragments resolved and equal fields merged.

import {
  type GraphQLAbstractType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  type SelectionSetNode,
} from 'graphql';
import { isChargedWhenFound } from '../schema/field-price.ts';
import type { AnyField, ArgumentsReader } from './arguments.ts';
import { locationsOf } from './document.ts';
import { type Price, priceOfSelections } from './price.ts';
import { collectFields, fieldDefinition, type Nodes, type PlanSource } from './selected-fields.ts';

export interface PlannedField {
  readonly key: string;
  /** `"key":` */
  readonly opening: string;
  readonly name: string;
  readonly resolve: AnyField['resolve'];
  readonly arguments: ArgumentsReader;
  readonly shape: Shape;
  /** without `path` and `variableValues`, which no resolver reads */
  readonly info: GraphQLResolveInfo;
  /** the `locations` of an error, as JSON; computed for the first error */
  locations(): string;
}

/** How a value of a type is written. */
export type Shape =
  | (ShapeOf<'leaf'> & { readonly type: GraphQLLeafType })
  | (ShapeOf<'object'> & { readonly fields: () => PlannedFields })
  | ListShape
  | AbstractShape;

interface ShapeOf<Kind> {
  readonly kind: Kind;
  readonly isRequired: boolean;
}

export interface ListShape extends ShapeOf<'list'> {
  readonly item: Shape;
  /** the price of an item with its selections; null if the price of the operation includes it */
  readonly itemPrice: Price | null;
}

export interface AbstractShape extends ShapeOf<'abstract'> {
  readonly type: GraphQLAbstractType;
  readonly fieldsOf: (type: GraphQLObjectType) => PlannedFields;
}

export interface PlannedFields {
  readonly type: GraphQLObjectType;
  readonly list: readonly PlannedField[];
  /** bytes of braces, names, colons and commas */
  readonly frameBytes: number;
  /** different for each PlannedFields of this process */
  readonly number: number;
}

/** The fields of an object are planned when the executor first writes it. */
export interface Plan {
  readonly root: PlannedFields;
}

let plans = 0;

/** Throws a GraphQLError if an argument of a directive cannot be read. */
export function createPlan(source: PlanSource): Plan {
  const { schema, operation } = source;
  const type = schema.getQueryType() as GraphQLObjectType;

  function fieldsOf(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): PlannedFields {
    const list: PlannedField[] = [];
    for (const [key, nodes] of collectFields(source, type, sets)) {
      const definition = fieldDefinition(schema, type, nodes[0].name.value);
      if (definition) list.push(plannedField(key, nodes, type, definition));
    }
    const names = list.reduce((bytes, { opening }) => bytes + Buffer.byteLength(opening), 0);
    plans += 1;
    return { type, list, frameBytes: 2 + names + Math.max(0, list.length - 1), number: plans };
  }

  function plannedField(
    key: string,
    nodes: Nodes,
    parentType: GraphQLObjectType,
    definition: AnyField,
  ): PlannedField {
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    let locations: string | undefined;
    return {
      key,
      opening: `${JSON.stringify(key)}:`,
      name: definition.name,
      resolve: definition.resolve,
      arguments: source.readerOf(definition, nodes[0]),
      shape: shapeOf(definition.type, sets),
      info: {
        fieldName: definition.name,
        fieldNodes: nodes,
        returnType: definition.type,
        parentType,
        schema,
        operation,
        fragments: {},
        rootValue: undefined,
      } as unknown as GraphQLResolveInfo,
      locations() {
        locations ??= JSON.stringify(locationsOf(nodes));
        return locations;
      },
    };
  }

  function shapeOf(type: GraphQLOutputType, sets: readonly SelectionSetNode[]): Shape {
    if (isNonNullType(type)) return { ...shapeOf(type.ofType, sets), isRequired: true };
    const isRequired = false;
    if (isListType(type)) {
      const named = getNamedType(type);
      const itemPrice = isChargedWhenFound(named) ? priceOfSelections(source, sets, named) : null;
      return { kind: 'list', isRequired, item: shapeOf(type.ofType, sets), itemPrice };
    }
    if (isLeafType(type)) return { kind: 'leaf', isRequired, type };
    if (isAbstractType(type)) {
      const byType = new Map<GraphQLObjectType, PlannedFields>();
      const fieldsOfType = (runtime: GraphQLObjectType): PlannedFields => {
        const known = byType.get(runtime) ?? fieldsOf(runtime, sets);
        byType.set(runtime, known);
        return known;
      };
      return { kind: 'abstract', isRequired, type, fieldsOf: fieldsOfType };
    }
    let fields: PlannedFields | undefined;
    const planOnce = (): PlannedFields => {
      fields ??= fieldsOf(type, sets);
      return fields;
    };
    return { kind: 'object', isRequired, fields: planOnce };
  }

  return { root: fieldsOf(type, [operation.selectionSet]) };
}
