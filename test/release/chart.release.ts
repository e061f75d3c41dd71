import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
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

  it.skipIf(!hasSchemas).each(CASES)(
    "fits the schemas of Kubernetes, %s (needs kubernetes-validate)",
    (_name, options) => {
      execFileSync("python3", ["-c", VALIDATE, KUBERNETES], { input: JSON.stringify(render(...options)) });
    },
  );
});
