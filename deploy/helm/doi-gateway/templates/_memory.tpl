{{/* MiB of a quantity in Mi or Gi, which values.schema.json asks for. */}}
{{- define "doi-gateway.mebibytes" -}}
{{- if hasSuffix "Gi" . -}}
{{- trimSuffix "Gi" . | atoi | mul 1024 -}}
{{- else -}}
{{- trimSuffix "Mi" . | atoi -}}
{{- end -}}
{{- end -}}

{{/* Twice a variable that counts bytes, in MiB, or `least` where that is more. */}}
{{- define "doi-gateway.twice" -}}
{{- $bytes := get .env .variable | default "0" | atoi -}}
{{- max .least (div (add (mul 2 $bytes) 1048575) 1048576) -}}
{{- end -}}

{{/*
The heap of one worker in MiB, from the limit of memory:

  limit / workers - beside the heap

Beside the heap are 192 MiB for Node itself (and a share of the primary process, where there are workers), the
answers that wait to be taken (128 MiB, or two of MAX_RESPONSE_BYTES) and the bodies that arrive (64 MiB, or two of
MAX_BODY_BYTES). The heap has to hold the cache (CACHE_MAX_BYTES) and 256 MiB to work with.
*/}}
{{- define "doi-gateway.heap" -}}
{{- $limit := include "doi-gateway.mebibytes" .Values.resources.limits.memory | atoi -}}
{{- $env := .Values.env -}}
{{- $answers := include "doi-gateway.twice" (dict "env" $env "variable" "MAX_RESPONSE_BYTES" "least" 128) | atoi -}}
{{- $bodies := include "doi-gateway.twice" (dict "env" $env "variable" "MAX_BODY_BYTES" "least" 64) | atoi -}}
{{- $cache := div (get $env "CACHE_MAX_BYTES" | default "268435456" | atoi) 1048576 -}}
{{- $beside := add 192 $answers $bodies -}}
{{- $heap := sub (div $limit .Values.workers) $beside -}}
{{- $needed := add $cache 256 -}}
{{- if lt $heap $needed -}}
{{- fail (printf "resources.limits.memory: %s leaves each of %v workers a heap of %v MiB, and it needs %v (CACHE_MAX_BYTES and 256). Give the pod %vMi or more, or lower CACHE_MAX_BYTES or workers." .Values.resources.limits.memory .Values.workers $heap $needed (mul .Values.workers (add $needed $beside))) -}}
{{- end -}}
{{- $heap -}}
{{- end -}}
