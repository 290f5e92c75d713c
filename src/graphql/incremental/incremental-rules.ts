import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import { OverlappingFieldsCanBeMergedRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/**
 * What a document has to heed with `@defer` and `@stream`. The plugin's own reading of "overlapping fields can be
 * merged" is left out: it compares every field with every other without any bound, and graphql-js's own gives up.
 */
export function useIncrementalRules(): Plugin {
  const { onValidate } = useDeferStream();
  return {
    onValidate(payload) {
      onValidate?.({
        ...payload,
        params: { ...payload.params, rules: [] },
        addValidationRule(rule) {
          if (rule.name !== OverlappingFieldsCanBeMergedRule.name) payload.addValidationRule(rule);
        },
      });
    },
  };
}
