{{- define "attune.name" -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end }}

{{- define "attune.selector" -}}
app.kubernetes.io/name: attune
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "attune.labels" -}}
{{ include "attune.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "attune.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "attune.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- if .Values.tlsSecretName -}}
{{- $tls := dict "cert" "${file:/run/secrets/tls/tls.crt}" "key" "${file:/run/secrets/tls/tls.key}" -}}
{{- $_ := set $config.server "tls" (merge (default dict $config.server.tls) $tls) -}}
{{- end -}}
{{- toYaml $config -}}
{{- end }}

{{- define "attune.secretVolumes" -}}
- name: secrets
  secret: { secretName: {{ .Values.secretName }}, defaultMode: 288 }
{{- with .Values.tlsSecretName }}
- name: tls
  secret: { secretName: {{ . }}, defaultMode: 288 }
{{- end }}
{{- end }}

{{- define "attune.secretMounts" -}}
- { name: secrets, mountPath: /run/secrets/attune, readOnly: true }
{{- if .Values.tlsSecretName }}
- { name: tls, mountPath: /run/secrets/tls, readOnly: true }
{{- end }}
{{- end }}

{{- define "attune.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "attune.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
{{- end }}
