{{/* What the operator may do where its runs are: a Role's rules, or a ClusterRole's. */}}
{{- define "mobilegym.rights" -}}
- apiGroups: [mobilegym.io]
  resources: [mobilegymruns]
  verbs: [get, list, watch, delete] # delete: ttlSecondsAfterFinished; spec and metadata are the user's
- apiGroups: [mobilegym.io]
  resources: [mobilegymruns/status, mobilegymruns/scale]
  verbs: [get, patch]
- apiGroups: [""]
  resources: [pods, configmaps, services, serviceaccounts, persistentvolumeclaims]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [networking.k8s.io]
  resources: [networkpolicies]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [""]
  resources: [secrets]
  verbs: [get, create, patch] # by name: never a list of them
- apiGroups: [""]
  resources: [events]
  verbs: [get, create, patch] # patch: a repeated event counts up
{{- if include "mobilegym.podMonitors" . }}
- apiGroups: [monitoring.coreos.com]
  resources: [podmonitors]
  verbs: [get, create, patch, delete]
{{- end }}
{{- end }}
