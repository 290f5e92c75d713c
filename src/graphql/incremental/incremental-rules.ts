// The validation rules for @defer and @stream. They are copied from @graphql-yoga/plugin-defer-stream, because an import
// of the plugin would load all of Yoga at the start.

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
 * The schema with `@defer` and `@stream`, for validation and introspection. schema.graphql does not have these directives,
 * because they are about the delivery of a response and not about its content.
 */
export const servedSchema: GraphQLSchema = new GraphQLSchema({
  ...schema.toConfig(),
  directives: [...schema.getDirectives(), GraphQLDeferDirective, GraphQLStreamDirective],
});

/**
 * Two rules of the plugin are left out. "Overlapping fields can be merged" has no limit on its processor time. The rule about
 * mutations and subscriptions is not needed, because the schema has neither.
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
