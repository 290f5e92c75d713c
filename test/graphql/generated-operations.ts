// Random valid operations: fields, aliases, fragments, conditions, and arguments of every kind.

import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

export interface GeneratedOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The texts for an argument with this name. */
export type Texts = (argument: string) => readonly string[];

export interface GeneratorOptions {
  readonly schema: GraphQLSchema;
  readonly texts: Texts;
  /** values for open scalars */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
  /** whether variables can have values of another type */
  readonly mayBeBad?: boolean;
}

/** Each number makes one choice. 0 is the simplest choice, and the choice after the end of the tape. */
const tapes = fc.array(fc.nat(9_999), { minLength: 20, maxLength: 400, size: 'max' });

export function generatedOperations(options: GeneratorOptions): fc.Arbitrary<GeneratedOperation> {
  return tapes.map((tape) => write(options, tape));
}

const MAX_DEPTH = 6;
const MAX_FIELDS = 60;

function write({ schema, texts, values = {}, mayBeBad = false }: GeneratorOptions, tape: readonly number[]) {
  let at = 0;
  const pick = (choices: number): number => {
    const number = tape[at] ?? 0;
    at += 1;
    return number % choices;
  };
  const oneOf = <Item>(items: readonly Item[]): Item => items[pick(items.length)] as Item;
  const chance = (oneIn: number): boolean => pick(oneIn) === oneIn - 1;

  const definitions: string[] = [];
  const variables: Record<string, unknown> = {};
  const fragments: { readonly name: string; readonly type: string; readonly text: string }[] = [];
  let aliases = 0;
  let fields = 0;

  function variable(
    type: string,
    defaultText: string | null,
    send: { readonly value: unknown } | null,
  ): string {
    const name = `v${definitions.length}`;
    definitions.push(`$${name}: ${type}${defaultText === null ? '' : ` = ${defaultText}`}`);
    if (send) variables[name] = send.value;
    return `$${name}`;
  }

  function selections(type: GraphQLNamedType, depth: number): string {
    const parts: string[] = [];
    const repeatable: string[] = [];
    const count = 1 + pick(4);
    for (let index = 0; index < count; index += 1) {
      const kind = pick(10);
      if (kind >= 8) parts.push(`... ${condition(type)}${directives()} ${selections(type, depth + 1)}`);
      else if (kind === 7) parts.push(typeCondition(type, depth));
      else if (kind === 6) parts.push(spread(type, depth));
      else if (kind === 5) parts.push(`${chance(2) ? `t${aliases++}: ` : ''}__typename${directives()}`);
      else parts.push(field(type, depth, repeatable));
    }
    return `{ ${parts.join(' ')} }`;
  }

  function condition(type: GraphQLNamedType): string {
    return chance(2) ? `on ${type.name}` : '';
  }

  /** A type condition that can hold for a value of this type. */
  function narrowed(type: GraphQLNamedType): GraphQLNamedType {
    if (isAbstractType(type)) return oneOf([...schema.getPossibleTypes(type), type]);
    if (isObjectType(type)) return oneOf([type, ...type.getInterfaces(), type]);
    return type;
  }

  function typeCondition(type: GraphQLNamedType, depth: number): string {
    const on = narrowed(type);
    return `... on ${on.name}${directives()} ${selections(on, depth + 1)}`;
  }

  function spread(type: GraphQLNamedType, depth: number): string {
    const on = narrowed(type);
    const known = fragments.filter((fragment) => fragment.type === on.name);
    if (known.length > 0 && chance(2)) return `...${oneOf(known).name}${directives()}`;
    const text = selections(on, depth + 1);
    const name = `F${fragments.length}`;
    fragments.push({ name, type: on.name, text });
    return `...${name}${directives()}`;
  }

  function field(type: GraphQLNamedType, depth: number, repeatable: string[]): string {
    const all = 'getFields' in type ? Object.values((type as GraphQLObjectType).getFields()) : [];
    const isDeep = depth >= MAX_DEPTH || fields >= MAX_FIELDS;
    const usable = isDeep ? all.filter(({ type: inner }) => !isCompositeType(getNamedType(inner))) : all;
    fields += 1;
    if (usable.length === 0) return '__typename';
    // Repeats an earlier field with the same name and arguments, so that both are merged.
    if (repeatable.length > 0 && chance(4)) {
      const [head = '', name = ''] = oneOf(repeatable).split('|');
      return `${head}${selected(all.find((one) => one.name === name) as GraphQLField<unknown, unknown>, depth)}`;
    }
    const definition = oneOf(usable);
    const given = definition.args.map(argument).filter((text) => text !== null);
    const isPlain = given.length === 0 && chance(2);
    const alias = isPlain ? '' : `a${aliases++}: `;
    const head = `${alias}${definition.name}${given.length > 0 ? `(${given.join(', ')})` : ''}`;
    if (!isDeep) repeatable.push(`${head}|${definition.name}`);
    return `${head}${directives()}${selected(definition, depth)}`;
  }

  function selected(definition: GraphQLField<unknown, unknown>, depth: number): string {
    const inner = getNamedType(definition.type);
    return isCompositeType(inner) ? ` ${selections(inner, depth + 1)}` : '';
  }

  function directives(): string {
    if (!chance(6)) return '';
    const name = chance(2) ? 'skip' : 'include';
    const value = oneOf([true, false]);
    const condition = [
      () => String(value),
      () => variable('Boolean!', null, { value }),
      () => variable('Boolean! ', String(value), null),
      () => variable('Boolean', String(value), null),
    ];
    return ` @${name}(if: ${oneOf(condition)()})`;
  }

  function argument(definition: GraphQLArgument): string | null {
    if (!isRequiredArgument(definition) && chance(3)) return null;
    return `${definition.name}: ${position(definition.type, definition.name, definition.defaultValue !== undefined)}`;
  }

  /** A literal, which can contain variables, or a variable: sent, left out, null, or with a default. */
  function position(type: GraphQLInputType, name: string, hasDefault: boolean): string {
    const value = valueFor(type, name, 0);
    const bare = isNonNullType(type) ? type.ofType : type;
    switch (pick(9)) {
      case 5:
        return variable(String(type), null, { value: mayBeBad && chance(12) ? bad() : value });
      case 6:
        return variable(
          String(type),
          literal(type, value),
          chance(2) ? { value: valueFor(type, name, 0) } : null,
        );
      case 7:
        // A nullable variable with a default is valid for a non-null argument. Then null is an error.
        return isNonNullType(type) || hasDefault
          ? variable(String(bare), literal(type, value), chance(3) ? { value: null } : null)
          : variable(String(bare), null, oneOf([null, { value: null }, { value }]));
      case 8:
        return isNonNullType(type) && !hasDefault
          ? variable(String(type), null, { value: single(type, value) })
          : variable(String(bare), null, oneOf([null, { value }]));
      default:
        return literalOfParts(type, value, name);
    }
  }

  /** The item of a list of one, because GraphQL takes it as the list. */
  function single(type: GraphQLInputType, value: unknown): unknown {
    const bare = isNonNullType(type) ? type.ofType : type;
    return isListType(bare) && Array.isArray(value) && value.length === 1 ? value[0] : value;
  }

  function bad(): unknown {
    return oneOf<unknown>(['text', 7, 2 ** 31, 1.5, true, [], [null], [[1]], {}, { nothing: 1 }, null, '10']);
  }

  function valueFor(type: GraphQLInputType, name: string, depth: number): unknown {
    if (isNonNullType(type)) return given(type.ofType, name, depth);
    return chance(6) ? null : given(type, name, depth);
  }

  function given(type: GraphQLInputType, name: string, depth: number): unknown {
    if (isNonNullType(type)) return given(type.ofType, name, depth);
    if (isListType(type)) return Array.from({ length: pick(4) }, () => valueFor(type.ofType, name, depth));
    if (isEnumType(type)) return oneOf(type.getValues()).name;
    if (isInputObjectType(type)) {
      const members = Object.values(type.getFields()).filter(
        (member) => isNonNullType(member.type) || chance(3),
      );
      return Object.fromEntries(
        members.map((member) => [member.name, valueFor(member.type, member.name, depth + 1)]),
      );
    }
    const pool = values[type.name];
    if (pool) return oneOf(pool);
    switch (type.name) {
      case 'Int':
        return oneOf([1, 0, -3, 2_147_483_647]);
      case 'Float':
        return oneOf([0.5, 2, -1e21]);
      case 'Boolean':
        return oneOf([false, true]);
      case 'ID':
        return oneOf<unknown>(['id', 7]);
      default:
        return oneOf(texts(name));
    }
  }

  /** The literal of a value. Parts of it can be variables, and an item can replace its list. */
  function literalOfParts(type: GraphQLInputType, value: unknown, name: string): string {
    const bare = isNonNullType(type) ? type.ofType : type;
    if (value === null || value === undefined) return 'null';
    if (isListType(bare) && Array.isArray(value)) {
      if (value.length === 1 && value[0] !== null && chance(4)) return literal(bare.ofType, value[0]);
      const items = value.map((item) =>
        chance(4) ? itemVariable(bare.ofType, item) : literalOfParts(bare.ofType, item, name),
      );
      return `[${items.join(', ')}]`;
    }
    if (isInputObjectType(bare)) {
      const members = Object.entries(value).map(([key, member]) => {
        const memberType = bare.getFields()[key]?.type as GraphQLInputType;
        return `${key}: ${chance(4) ? itemVariable(memberType, member) : literalOfParts(memberType, member, key)}`;
      });
      return `{${members.join(', ')}}`;
    }
    return literal(type, value);
  }

  function itemVariable(type: GraphQLInputType, value: unknown): string {
    if (isNonNullType(type)) {
      return chance(2)
        ? variable(String(type), null, { value })
        : variable(String(type.ofType), literal(type, value), chance(3) ? { value: null } : null);
    }
    return variable(String(type), null, chance(3) ? null : { value });
  }

  const root = schema.getQueryType() as GraphQLObjectType;
  const body = selections(root, 0);
  const head = definitions.length > 0 ? `query (${definitions.join(', ')}) ` : '';
  const spreads = fragments.map(({ name, type, text }) => `fragment ${name} on ${type} ${text}`);
  return { query: [head + body, ...spreads].join('\n'), variables };
}

function literal(type: GraphQLInputType, value: unknown): string {
  if (isNonNullType(type)) return literal(type.ofType, value);
  if (value === null || value === undefined) return 'null';
  if (isListType(type)) {
    return Array.isArray(value)
      ? `[${value.map((item) => literal(type.ofType, item)).join(', ')}]`
      : literal(type.ofType, value);
  }
  if (isEnumType(type)) return String(value);
  if (isInputObjectType(type)) {
    const members = Object.entries(value).map(
      ([key, member]) => `${key}: ${literal(type.getFields()[key]?.type as GraphQLInputType, member)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return jsonLiteral(value);
}

/** Any JSON value as a literal of GraphQL. */
function jsonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLiteral).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, member]) => `${key}: ${jsonLiteral(member)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}
