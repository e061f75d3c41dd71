#!/usr/bin/env bash
# Helm 4.3.1, kubeconform 0.8.0, schemas of Kubernetes 1.27, 1.30 and 1.37 (kubernetes-validate 1.37.0)
export GOBIN="$PWD/bin" PATH="$PWD/bin:$PATH" HELM_CACHE_HOME="$PWD/cache" HELM_CONFIG_HOME="$PWD/config" HELM_DATA_HOME="$PWD/data"
go install -trimpath helm.sh/helm/v4/cmd/helm@v4.3.1 2>install.log && go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0 2>>install.log
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check kubernetes-validate==1.37.0
schemas=$(echo "$PWD"/venv/lib/python3*/site-packages/kubernetes_validate/kubernetes-json-schema)
# kubernetes-validate resolves its references by itself; kubeconform reads them as addresses.
for folder in "$schemas"/v1.{27,30,37}.0-local-strict; do sed -i "s#\"/api/_definitions#\"file://$folder/_definitions#" "$folder"/{_definitions,*-v[12]}.json; done
chart="$ATTUNE_ROOT/packaging/chart"
helm lint --strict "$chart" >lint.log 2>&1 && echo "held helm lint --strict" || echo "failed helm lint --strict: $(grep ERROR lint.log | head -1)"
cat > mine.yaml <<'Y'
image: { repository: registry.example/attune }
imagePullSecrets: [{ name: registry }]
config:
  server: { proxies: 2, drainMs: 5000, adminPort: 9999 }
  upstreams: { openai: { kind: openai-responses, apiKey: "${file:/run/secrets/attune/openai-key}" } }
migration: { activeDeadlineSeconds: 2592000 }
spool: { size: 1Gi, storageClassName: fast }
podAnnotations: { "prometheus.io/scrape": "true" }
nodeSelector: { kubernetes.io/arch: arm64 }
tolerations: [{ key: dedicated, operator: Equal, value: llm, effect: NoSchedule }]
affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: kubernetes.io/hostname } }] } }
topologySpreadConstraints: [{ maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway }]
networkPolicy: { callers: [{ podSelector: {} }], metrics: [{ namespaceSelector: {} }], egressPorts: [443, 5432, 6432] }
Y
render() { helm template mine "$chart" --kube-version "$1" "${@:2}"; }
check() {
  for release in 1.27.0 1.30.0 1.37.0; do
    if ! render $release "${@:2}" > manifests.yaml 2>template.log; then echo "failed $1, Kubernetes $release: $(tail -1 template.log)"; continue; fi
    kubeconform -strict -summary -schema-location "$schemas/v$release-local-strict/{{ .ResourceKind }}{{ .KindSuffix }}.json" manifests.yaml > conform.log 2>&1 &&
      echo "held $1, Kubernetes $release: $(grep -o '[0-9]* resources' conform.log)" || echo "failed $1, Kubernetes $release: $(head -1 conform.log)"
  done
}
check "as it is"
check "without what can be left out" --set autoscaling.enabled=false,migration.enabled=false,networkPolicy.enabled=false
check "with TLS" --set tlsSecretName=mine-tls,service.port=443,service.type=LoadBalancer
check "with all that can be added" --values mine.yaml
! render 1.26.0 >old.log 2>&1 && grep -q 'incompatible with Kubernetes' old.log && echo "held refuses Kubernetes 1.26" || echo "failed refuses Kubernetes 1.26: $(tail -1 old.log)"
