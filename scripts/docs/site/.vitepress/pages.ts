import { readFileSync } from "node:fs";
import { join } from "node:path";

export const DOCS = join(import.meta.dirname, "..", "..", "..", "..", "docs");

/** The pages of the site by what a reader wants of them, in the order in which they are listed. */
export const KINDS: readonly (readonly [kind: string, pages: readonly string[]])[] = [
  ["Tutorials", ["tutorial", "agents", "grpc"]],
  [
    "Guides",
    [
      ...["providers", "coming-from-litellm", "coming-from-tensorzero", "coming-from-others"],
      ...["embeddings", "cost", "steering", "rubric", "datasets", "replay", "structured-output", "sandbox"],
      ...["administration", "projects-as-code", "sign-in", "privacy"],
      ...["dashboard", "why-calls-fail", "runbook", "telemetry", "alerts"],
      ...["deployment", "network", "proxies", "upgrades", "operations", "database", "records", "scale", "releases"],
    ],
  ],
  [
    "Reference",
    [
      ...["api", "configuration", "conformance"],
      ...["reference/http", "reference/rpc", "reference/configuration", "reference/commands"],
      ...["reference/metrics", "reference/log", "reference/errors", "reference/headers", "reference/roles"],
    ],
  ],
  [
    "Explanation",
    ["learning", "best-of-n", "equivalence", "failover", "coalescing", "life-of-a-request", "decisions/README"],
  ],
];

/** The first heading of a page. */
export function titleOf(page: string): string {
  const source = readFileSync(join(DOCS, `${page}.md`), "utf8");
  return /^# (.+)$/m.exec(source)?.[1]?.replaceAll("`", "") ?? page;
}

/** The address of a page on the site, without a suffix. */
export function addressOf(page: string): string {
  return `/${page.replace(/README$/, "")}`;
}
