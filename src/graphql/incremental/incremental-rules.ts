import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { OverlappingFieldsCanBeMergedRule, type ValidationRule } from 'graphql';

/**
 * What a document has to heed with `@defer` and `@stream`. The plugin's own reading of "overlapping fields can be
 * merged" is left out: it compares every field with every other without any bound, and graphql-js's own gives up.
 */
export function incrementalRules(): ValidationRule[] {
  const rules: ValidationRule[] = [];
  const { onValidate } = useDeferStream();
  const payload = { params: { rules: [] }, addValidationRule: (rule: ValidationRule) => rules.push(rule) };
  onValidate?.(payload as unknown as Parameters<typeof onValidate>[0]);
  return rules.filter(({ name }) => name !== OverlappingFieldsCanBeMergedRule.name);
}
