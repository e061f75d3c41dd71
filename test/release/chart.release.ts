import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { PROJECT } from "./built-release.ts";

/** The version whose schemas are asked. */
const KUBERNETES = "1.30.0";

const CHART = join(PROJECT, "packaging", "chart");

/** Checks a manifest on standard input by the Kubernetes schemas that the Python package carries. */
const VALIDATE = `
import sys, json, kubernetes_validate
for manifest in json.load(sys.stdin):
    kubernetes_validate.validate(manifest, sys.argv[1], strict=True)
`;

const hasHelm = spawnSync("helm", ["version"]).status === 0;
const hasSchemas = spawnSync("python3", ["-c", "import kubernetes_validate"]).status === 0;

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  /** Of a ConfigMap. */
  readonly data?: { readonly "attune.yaml": string };
  /** Of a Job and of a StatefulSet. */
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly containers: readonly Readonly<Record<string, unknown>>[];
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
}

function render(...options: readonly string[]): readonly Manifest[] {
  const text = execFileSync("helm", ["template", "mine", CHART, "--kube-version", KUBERNETES, ...options], {
    encoding: "utf8",
  });
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

const CASES: readonly (readonly [name: string, options: readonly string[]])[] = [
  ["as it is", []],
  [
    "without what can be left out",
    ["--set", "autoscaling.enabled=false,migration.enabled=false,networkPolicy.enabled=false"],
  ],
  [
    "with what can be added",
    [
      "--set",
      "spool.storageClassName=fast,podAnnotations.a=b,nodeSelector.c=d",
      "--set-json",
      'networkPolicy.metrics=[{"namespaceSelector":{}}]',
    ],
  ],
  ["with TLS", ["--set", "tlsSecretName=mine-tls,service.port=443"]],
];

describe.skipIf(!hasHelm)("the chart (needs helm)", () => {
  it("passes helm lint", () => {
    execFileSync("helm", ["lint", "--strict", CHART]);
  });

  it("has all that an installation needs", () => {
    const kinds = render().map(({ kind }) => kind);
    expect(kinds.sort()).toEqual([
      ...["ConfigMap", "ConfigMap", "HorizontalPodAutoscaler", "Job", "NetworkPolicy", "PodDisruptionBudget"],
      ...["Service", "Service", "StatefulSet"],
    ]);
  });

  const CERTIFICATE = "$" + "{file:/run/secrets/tls/tls.crt}";
  const KEY = "$" + "{file:/run/secrets/tls/tls.key}";

  it("speaks TLS with a secret for it, and its probes need none", () => {
    const clientCa = '--set-json=config.server.tls={"clientCa":"PEM"}';
    const manifests = render("--set", "tlsSecretName=mine-tls", clientCa);
    const configs = manifests.flatMap(({ data }) => (data === undefined ? [] : [parse(data["attune.yaml"])]));
    const tls = { cert: CERTIFICATE, key: KEY, clientCa: "PEM" };
    expect(configs).toMatchObject([{ server: { tls } }, { server: { tls } }]);
    const pods = manifests.flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template.spec]));
    expect(pods).toHaveLength(2);
    for (const { containers, volumes } of pods) {
      expect(volumes).toContainEqual({ name: "tls", secret: { secretName: "mine-tls", defaultMode: 288 } });
      const mount = { name: "tls", mountPath: "/run/secrets/tls", readOnly: true };
      expect(containers).toMatchObject([{ volumeMounts: expect.arrayContaining([mount]) }]);
    }
    const probe = { httpGet: { port: "admin" } };
    const [container] = pods.flatMap(({ containers }) => containers.filter(({ name }) => name === "attune"));
    expect(container).toMatchObject({ startupProbe: probe, readinessProbe: probe, livenessProbe: probe });
    expect(
      render()
        .map(({ data }) => data?.["attune.yaml"] ?? "")
        .join(""),
    ).not.toContain("tls");
  });

  it.each([
    [true, 120],
    [false, 1800],
  ])("gives a start as long as a migration may take where that is part of it: job %s, %d s", (enabled, seconds) => {
    const manifests = render("--set", `migration.enabled=${enabled}`);
    const pods = manifests.flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template.spec]));
    const containers = pods.flatMap(({ containers: all }) => all.filter(({ name }) => name === "attune"));
    const startupProbe = { periodSeconds: 2, failureThreshold: seconds / 2 };
    expect(containers).toMatchObject([{ startupProbe }]);
  });

  it("writes a million seconds as a whole number, which a file of values has as a float", () => {
    const text = execFileSync("helm", [
      "template",
      "mine",
      CHART,
      "--set-json=migration.activeDeadlineSeconds=2592000",
    ]);
    expect(String(text)).toContain("activeDeadlineSeconds: 2592000\n");
  });

  it.skipIf(!hasSchemas).each(CASES)(
    "fits the schemas of Kubernetes, %s (needs kubernetes-validate)",
    (_name, options) => {
      execFileSync("python3", ["-c", VALIDATE, KUBERNETES], { input: JSON.stringify(render(...options)) });
    },
  );
});
