// What a document has to heed with @defer and @stream. The rules are those of @graphql-yoga/plugin-defer-stream, which
// would load all of Yoga before the first answer.

import { GraphQLDeferDirective, GraphQLStreamDirective } from '@graphql-tools/utils';
import {
  type ASTNode,
  type ASTVisitor,
  type DirectiveNode,
  GraphQLError,
  GraphQLSchema,
  isListType,
  isNonNullType,
  Kind,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { schema } from '../../schema/index.ts';

/**
 * The schema with `@defer` and `@stream`, as it is served and introspected. They say how an answer is delivered,
 * not what there is to ask: schema.graphql and the schema itself are without them.
 */
export const servedSchema: GraphQLSchema = new GraphQLSchema({
  ...schema.toConfig(),
  directives: [...schema.getDirectives(), GraphQLDeferDirective, GraphQLStreamDirective],
});

/**
 * The plugin's own reading of "overlapping fields can be merged" is left out: it compares every field with every other
 * without any bound, and graphql-js's own gives up. So is what it says of mutations and subscriptions: there are none.
 */
export const incrementalRules: readonly ValidationRule[] = [labelsAreStaticAndUnique, onlyListsAreStreamed];

function labelsAreStaticAndUnique(context: ValidationContext): ASTVisitor {
  const known = new Map<string, DirectiveNode>();
  return {
    Directive(node) {
      const name = node.name.value;
      if (name !== 'defer' && name !== 'stream') return;
      const label = node.arguments?.find((argument) => argument.name.value === 'label')?.value;
      if (label === undefined) return;
      if (label.kind !== Kind.STRING) {
        report(context, `Directive "${name}"'s label argument must be a static string.`, [node]);
        return;
      }
      const other = known.get(label.value);
      if (other) report(context, 'Defer/Stream directive label argument must be unique.', [other, node]);
      else known.set(label.value, node);
    },
  };
}

function onlyListsAreStreamed(context: ValidationContext): ASTVisitor {
  return {
    Directive(node) {
      if (node.name.value !== 'stream') return;
      const field = context.getFieldDef();
      const parent = context.getParentType();
      if (!field || !parent) return;
      const type = isNonNullType(field.type) ? field.type.ofType : field.type;
      if (isListType(type)) return;
      const message = `Stream directive cannot be used on non-list field "${field.name}" on type "${parent.name}".`;
      report(context, message, [node]);
    },
  };
}

function report(context: ValidationContext, message: string, nodes: readonly ASTNode[]): void {
  context.reportError(new GraphQLError(message, { nodes }));
}
