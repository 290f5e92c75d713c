// Checks manifests against the types of Kubernetes' API: unknown fields, missing fields and wrong types.

import ts from 'typescript';
import { pathOf } from './deploy-files.ts';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
  };
}

/** API version and kind → its type. */
const TYPES: Readonly<Record<string, string>> = {
  'apps/v1 Deployment': 'import("kubernetes-types/apps/v1").Deployment',
  'autoscaling/v2 HorizontalPodAutoscaler':
    'import("kubernetes-types/autoscaling/v2").HorizontalPodAutoscaler',
  'networking.k8s.io/v1 Ingress': 'import("kubernetes-types/networking/v1").Ingress',
  'policy/v1 PodDisruptionBudget': 'import("kubernetes-types/policy/v1").PodDisruptionBudget',
  'v1 ConfigMap': 'import("kubernetes-types/core/v1").ConfigMap',
  'v1 Service': 'import("kubernetes-types/core/v1").Service',
  'monitoring.coreos.com/v1 ServiceMonitor': 'ServiceMonitor',
  'monitoring.coreos.com/v1 PrometheusRule': 'PrometheusRule',
};

/** The part of the Prometheus operator's API that the chart uses. No small package has these types. */
const OPERATOR_TYPES = `
interface Custom<Kind, Spec> {
  apiVersion: 'monitoring.coreos.com/v1';
  kind: Kind;
  metadata: import('kubernetes-types/meta/v1').ObjectMeta;
  spec: Spec;
}
type ServiceMonitor = Custom<'ServiceMonitor', {
  jobLabel?: string;
  selector: import('kubernetes-types/meta/v1').LabelSelector;
  endpoints: { port: string; path?: string; interval?: string }[];
}>;
type PrometheusRule = Custom<'PrometheusRule', {
  groups: {
    name: string;
    rules: {
      alert: string;
      expr: string;
      for?: string;
      labels?: Record<string, string>;
      annotations?: Record<string, string>;
    }[];
  }[];
}>;
`;

/** The errors of the compiler for the manifests. */
export function manifestProblems(manifests: readonly Manifest[]): string[] {
  const constants = manifests.map((manifest, at) => {
    const type = TYPES[`${manifest.apiVersion} ${manifest.kind}`] ?? 'unknown_kind';
    return `export const manifest${at}: ${type} = ${JSON.stringify(manifest)};`;
  });
  return compile(`${OPERATOR_TYPES}\n${constants.join('\n')}\n`);
}

function compile(source: string): string[] {
  const file = pathOf('test/deploy/rendered-manifests.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const onDisk = host.getSourceFile;
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022)
      : onDisk.call(host, name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
