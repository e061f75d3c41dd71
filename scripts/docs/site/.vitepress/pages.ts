import { readFileSync } from "node:fs";
import { join } from "node:path";

export const DOCS = join(import.meta.dirname, "..", "..", "..", "..", "docs");

type Groups = readonly (readonly [name: string, pages: readonly string[]])[];

/** The guides, by what is to be done. */
export const GUIDES: Groups = [
  ["Connect", ["providers", "embeddings", "network", "sandbox"]],
  ["Migrate", ["coming-from-litellm", "coming-from-tensorzero", "coming-from-others"]],
  [
    "Improve answers",
    ["improve", "cost", "steering", "rubric", "datasets", "replay", "structured-output", "best-of-several"],
  ],
  ["Administer", ["administration", "projects-as-code", "accounts", "sign-in", "privacy", "records"]],
  ["Monitor", ["dashboard", "why-calls-fail", "alerts", "telemetry", "runbook"]],
  ["Operate", ["deployment", "proxies", "operations", "replicas", "database", "upgrades", "scale", "releases"]],
];

/** The pages of the site by what a reader wants of them, in the order in which they are listed. */
export const KINDS: Groups = [
  ["Tutorials", ["tutorial", "agents", "clients", "compatibility", "grpc"]],
  ["Guides", GUIDES.flatMap(([, pages]) => pages)],
  [
    "Reference",
    [
      ...["api", "request-options", "usage", "feedback", "stored-responses", "translation", "rpc", "conformance"],
      ...["configuration", "upstreams", "models", "quotas", "answer-checks"],
      ...["admin-operations", "learning-rules", "failed-calls", "failure-reasons", "postgresql", "spans"],
      ...["reference/http", "reference/rpc", "reference/configuration", "reference/commands"],
      ...["reference/metrics", "reference/log", "reference/errors", "reference/headers", "reference/events"],
      ...["reference/roles", "reference/servers"],
    ],
  ],
  ["Concepts", ["learning", "equivalence", "failover", "coalescing", "life-of-a-request", "decisions/README"]],
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
