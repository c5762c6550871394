{{- define "mobilegym.labels" -}}
app.kubernetes.io/name: mobilegym
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Labels that pods are selected by: (dict "root" $ "part" "operator"). */}}
{{- define "mobilegym.selector" -}}
app.kubernetes.io/name: mobilegym
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{/* 40 characters: the longest suffix, with what controllers append, still fits a label. */}}
{{- define "mobilegym.name" -}}
{{- if gt (len .root.Release.Name) 40 -}}
{{- fail (printf "release name %q has %d characters: 40 at most" .root.Release.Name (len .root.Release.Name)) -}}
{{- end -}}
{{- printf "%s-%s" .root.Release.Name .part -}}
{{- end }}

{{/* Of what belongs to no namespace: two releases of one name in two namespaces must not meet. */}}
{{- define "mobilegym.clusterName" -}}
{{- printf "%s-%s-%s" .root.Release.Namespace .root.Release.Name .part -}}
{{- end }}

{{- define "mobilegym.account" -}}
{{- $name := include "mobilegym.name" (dict "root" . "part" "operator") -}}
{{- .Values.operator.serviceAccount.name | default (ternary $name "default" .Values.operator.serviceAccount.create) -}}
{{- end }}

{{/* An image without tag or digest gets the chart's appVersion: (dict "root" $ "image" "mobilegym/worker"). */}}
{{- define "mobilegym.image" -}}
{{- if regexMatch "(@|:[^/]+$)" .image -}}
{{- .image -}}
{{- else -}}
{{- printf "%s:%s" .image .root.Chart.AppVersion -}}
{{- end -}}
{{- end }}

{{- define "mobilegym.pullSecrets" -}}
{{- with .Values.images.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Where the cluster serves monitors and they are wanted: "true", else empty. */}}
{{- define "mobilegym.podMonitors" -}}
{{- if and .Values.monitoring.podMonitors (.Capabilities.APIVersions.Has "monitoring.coreos.com/v1/PodMonitor") -}}
true
{{- end -}}
{{- end }}
