{{/* MiB of a quantity in Mi or Gi, which values.schema.json asks for. */}}
{{- define "doi-gateway.mebibytes" -}}
{{- if hasSuffix "Gi" . -}}
{{- trimSuffix "Gi" . | atoi | mul 1024 -}}
{{- else -}}
{{- trimSuffix "Mi" . | atoi -}}
{{- end -}}
{{- end -}}

{{/*
The heap of one worker in MiB, from the limit of memory:

  limit / workers - beside the heap

Beside the heap are 192 MiB for Node itself (and a share of the primary process, where there are workers), the
responses that clients have yet to read (192 MiB) and the bodies that arrive (64 MiB, or two of
MAX_BODY_BYTES). The heap has to hold the cache (CACHE_MAX_BYTES) and 256 MiB to work with.
*/}}
{{- define "doi-gateway.heap" -}}
{{- $limit := include "doi-gateway.mebibytes" .Values.resources.limits.memory | atoi -}}
{{- $env := .Values.env -}}
{{- $body := get $env "MAX_BODY_BYTES" | default "0" | atoi -}}
{{- $bodies := max 64 (div (add (mul 2 $body) 1048575) 1048576) -}}
{{- $cache := div (get $env "CACHE_MAX_BYTES" | default "268435456" | atoi) 1048576 -}}
{{- $beside := add 192 192 $bodies -}}
{{- $heap := sub (div $limit .Values.workers) $beside -}}
{{- $needed := add $cache 256 -}}
{{- if lt $heap $needed -}}
{{- fail (printf "resources.limits.memory: %s leaves each of %v workers a heap of %v MiB, and it needs %v (CACHE_MAX_BYTES and 256). Give the pod %vMi or more, or lower CACHE_MAX_BYTES or workers." .Values.resources.limits.memory .Values.workers $heap $needed (mul .Values.workers (add $needed $beside))) -}}
{{- end -}}
{{- $heap -}}
{{- end -}}
