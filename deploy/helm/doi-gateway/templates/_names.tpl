{{/* The name of everything the chart makes: at most 52 characters, so that what is put behind it still fits. */}}
{{- define "doi-gateway.name" -}}
{{- if contains "doi-gateway" .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-doi-gateway" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* By which the Service and the budget find the pods. Never changes. */}}
{{- define "doi-gateway.selector" -}}
app.kubernetes.io/name: doi-gateway
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "doi-gateway.labels" -}}
{{ include "doi-gateway.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "doi-gateway.metadata" -}}
name: {{ include "doi-gateway.name" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "doi-gateway.labels" . | nindent 2 }}
{{- end -}}
