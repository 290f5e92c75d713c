// Reads the selectors of a PromQL query with Prometheus' own grammar.

import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
  /** the labels that group it */
  readonly groupedBy: readonly string[];
}

/** Each selector of a query. Throws if the query is invalid or names a metric by `__name__`. */
export function selectorsOf(query: string): Selector[] {
  const selectors: Selector[] = [];
  const textOf = ({ from, to }: SyntaxNode) => query.slice(from, to);

  function visit(node: SyntaxNode, groupedBy: readonly string[]): void {
    if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${query}`);
    if (node.name === 'VectorSelector') selectors.push({ ...read(node), groupedBy });
    const grouping = [
      ...node.getChildren('AggregateModifier'),
      ...node.getChildren('MatchingModifierClause'),
    ].flatMap((clause) => clause.getChildren('GroupingLabels').flatMap(labelsOf));
    for (const child of childrenOf(node)) visit(child, [...groupedBy, ...grouping]);
  }

  function labelsOf(node: SyntaxNode): string[] {
    return node.getChildren('LabelName').map(textOf);
  }

  function read(node: SyntaxNode): Pick<Selector, 'metric' | 'matchers'> {
    const name = node.getChild('Identifier');
    if (name === null) throw new Error(`a selector without a name: ${query}`);
    const matchers = node.getChildren('LabelMatchers').flatMap(childrenOf).map(matcherOf);
    return { metric: textOf(name), matchers };
  }

  function matcherOf(node: SyntaxNode): Matcher {
    const [label = '', operator = '', value = ''] = childrenOf(node).map(textOf);
    return { label, operator, value: value.slice(1, -1) };
  }

  visit(parser.parse(query).topNode, []);
  return selectors;
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}
