{{/* Name service, API server and Redis: what the operator and the test reach. */}}
{{- define "mobilegym.clusterEgress" -}}
- ports:
    - port: 53
      protocol: UDP
    - port: 53
      protocol: TCP
- ports: # no destination: the API server is no pod
    {{- range .Values.networkPolicy.apiServerPorts }}
    - port: {{ . }}
    {{- end }}
{{- $external := include "mobilegym.redisExternal" . }}
- ports:
    - port: {{ ternary .Values.redis.external.port 6379 (eq $external "true") }}
  {{- $labels := .Values.redis.external.podSelector }}
  {{- if not $external }}
  {{- $labels = include "mobilegym.selector" (dict "root" . "part" "redis") | fromYaml }}
  {{- end }}
  {{- with $labels }}
  to:
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: {{ include "mobilegym.redisNamespace" $ }}
      podSelector:
        matchLabels:
          {{- toYaml . | nindent 10 }}
  {{- end }}
{{- end }}
