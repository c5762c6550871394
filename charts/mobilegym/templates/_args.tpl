{{/* The operator's command line after the image's init. */}}
{{- define "mobilegym.operatorArgs" -}}
- python
- -m
- mobilegym.operator
- --namespace
- $(POD_NAMESPACE)
{{- with .Values.watch.namespace }}
- --watch
- {{ . }}
{{- end }}
- --identity
- $(POD_NAME)
- --redis
- /etc/mobilegym/redis
- --worker-image
- {{ include "mobilegym.image" (dict "root" . "image" .Values.images.worker) }}
- --learner-image
- {{ include "mobilegym.image" (dict "root" . "image" .Values.images.learner) }}
- --pull-policy
- {{ .Values.images.pullPolicy }}
{{- if include "mobilegym.podMonitors" . }}
- --pod-monitor
{{- end }}
{{- with include "mobilegym.redisSelector" . }}
- --redis-selector
- {{ . }}
- --redis-namespace
- {{ include "mobilegym.redisNamespace" $ }}
{{- end }}
{{- with .Values.monitoring.namespace }}
- --monitoring-namespace
- {{ . }}
{{- end }}
- --seccomp-profile
- {{ .Values.seccomp.profile }}
- --metrics-host
- $(POD_IP)
- --metrics-port
- "9100"
- --probe-port
- "8080"
{{- end }}
