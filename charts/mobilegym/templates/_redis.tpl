{{/* "true" where the runs' Redis is somebody else's. Both at once, or neither, is an error. */}}
{{- define "mobilegym.redisExternal" -}}
{{- $external := .Values.redis.external -}}
{{- $urls := compact (list $external.urls.operator $external.urls.worker $external.urls.learner) -}}
{{- if and $external.secret $urls -}}
{{- fail "redis.external: give secret or urls, not both" -}}
{{- end -}}
{{- if and $urls (lt (len $urls) 3) -}}
{{- fail "redis.external.urls: operator, worker and learner must all be given" -}}
{{- end -}}
{{- $given := or $external.secret $urls -}}
{{- if and .Values.redis.enabled $given -}}
{{- fail "redis.enabled must be false with redis.external.secret or redis.external.urls" -}}
{{- end -}}
{{- if not (or .Values.redis.enabled $given) -}}
{{- fail "redis.enabled is false: give redis.external.secret or redis.external.urls" -}}
{{- end -}}
{{- if $given }}true{{ end -}}
{{- end }}

{{/* The Secret with the URLs. */}}
{{- define "mobilegym.redisSecret" -}}
{{- $own := include "mobilegym.name" (dict "root" . "part" "redis") -}}
{{- if include "mobilegym.redisExternal" . -}}
{{- .Values.redis.external.secret | default $own -}}
{{- else -}}
{{- .Values.redis.auth.existingSecret | default $own -}}
{{- end -}}
{{- end }}

{{/* k=v,k=v of the Redis pods, or empty. */}}
{{- define "mobilegym.redisSelector" -}}
{{- $labels := .Values.redis.external.podSelector -}}
{{- if not (include "mobilegym.redisExternal" .) -}}
{{- $labels = include "mobilegym.selector" (dict "root" . "part" "redis") | fromYaml -}}
{{- end -}}
{{- $pairs := list -}}
{{- range $key, $value := $labels -}}
{{- $pairs = append $pairs (printf "%s=%s" $key $value) -}}
{{- end -}}
{{- join "," $pairs -}}
{{- end }}

{{- define "mobilegym.redisNamespace" -}}
{{- if include "mobilegym.redisExternal" . -}}
{{- .Values.redis.external.namespace | default .Release.Namespace -}}
{{- else -}}
{{- .Release.Namespace -}}
{{- end -}}
{{- end }}

{{/* The ACL file; passwords are a dict of role to password. What each role calls: core/mobilegym/protocol/streams.
Nobody can log in as default, yet it may do everything: Redis 7 replays its log as default, and would leave out every
transaction, a script's writes among them, that default may not make. */}}
{{- define "mobilegym.redisUsers" -}}
{{- $passwords := .passwords -}}
{{- range $line := splitList "\n" (.root.Files.Get "files/redis/users.acl" | trim) -}}
{{- $user := index (splitList " " $line) 1 -}}
{{- $hash := index $passwords $user | default "" | sha256sum -}}
{{ $line | replace "#PASSWORD" (printf "#%s" $hash) }}
{{ end -}}
{{- end }}
