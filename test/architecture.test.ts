import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";

/** What all of the store may know: the types that go through it, and how the database is reached. */
const STORE_LEAVES = ["store/types", "store/entities", "store/database"];

/**
 * Who may import whom. A room is the longest matching prefix of a file's path below src. Packages are allowed unless
 * `onlyIn` keeps them to some rooms.
 */
const rooms: Record<string, readonly string[]> = {
  lib: [],
  // What every room speaks: the request and its fields.
  hub: [],
  wire: [],
  catalog: [],
  config: ["catalog"],
  inference: ["catalog", "wire/scan-json"],
  admission: ["inference/error", "inference/ports", "inference/capacity"],
  feedback: ["inference/error", "inference/ports", "inference/capacity"],
  routing: [
    "routing/policy",
    "routing/selector",
    "routing/checks",
    "inference/ports",
    "inference/error",
    "inference/decision-record",
    "learning/workload",
    "catalog",
  ],
  // Pure: chance, time and storage are its callers'.
  "routing/policy": [],
  "routing/selector": [],
  // What can be told of a finished answer by itself.
  "routing/checks": ["inference/ports", "catalog/model", "routing/ejection"],
  // How answers of deployments compare with those of the first one.
  "routing/equivalence": ["inference/ports"],
  // What is learned of workloads, and by whom.
  learning: ["routing/policy", "routing/selector", "inference/decision-record", "inference/ports", "inference/error"],
  replay: ["routing/policy", "learning", "inference/decision-record"],
  upstream: ["wire", "inference/ports", "inference/error", "inference/events"],
  "upstream/openai-chat": ["wire", "upstream/*", "inference/ports", "inference/error", "inference/events"],
  "upstream/openai-responses": ["wire", "upstream/*", "inference/ports", "inference/error", "inference/events"],
  "upstream/anthropic-messages": ["wire", "upstream/*", "inference/ports", "inference/error", "inference/events"],
  "upstream/sandbox": ["wire", "upstream/*", "inference/ports", "inference/error", "inference/events", "catalog"],
  "upstream/registry.ts": ["upstream", "config", "inference/ports"],
  facade: ["wire", "facade", "admission", "inference/error", "inference/error-detail", "inference/capacity"],
  "facade/chat": ["wire", "facade/*", "inference/error"],
  "facade/responses": ["wire", "facade/*", "inference/error"],
  "facade/messages": ["wire", "facade/*", "facade/client", "inference/error", "admission/inference-headers"],
  "facade/feedback": ["wire", "facade/*", "facade/client", "inference/error"],
  "facade/models": ["wire", "facade/*", "facade/client", "inference/error"],
  rpc: ["admission", "inference", "feedback", "learning", "wire/scan-json"],
  // The root puts the rooms of the store together. Those that write and those that read meet in the leaves and the database.
  store: ["store", "inference/ports", "feedback/ports", "learning"],
  "store/entities": ["inference/decision-record"],
  "store/types": ["store/entities", "learning/events"],
  "store/migrations": ["store/types/store"],
  "store/database": ["store/types", "store/entities", "store/migrations"],
  "store/bodies": ["store/types"],
  // What is learned is read and written by SQL of its own, beside what the records write for it.
  "store/learning": [
    ...STORE_LEAVES,
    "store/bodies",
    "store/changes",
    "learning",
    "routing/policy",
    "routing/selector",
    "routing/families/prompt-text",
  ],
  "store/equivalence": [...STORE_LEAVES, "store/changes", "routing/equivalence"],
  "store/write": [
    ...STORE_LEAVES,
    "store/bodies",
    "store/changes/change-feed",
    "store/changes/notify-change",
    "learning/events",
    "inference/ports",
    "inference/error",
    "feedback/ports",
  ],
  "store/read": [
    ...STORE_LEAVES,
    "store/bodies",
    "store/neighbours",
    "inference/ports",
    "inference/error",
    "feedback/ports",
  ],
  "store/settings": [...STORE_LEAVES, "store/bodies", "store/changes"],
  "store/neighbours": ["store/types", "store/changes", "feedback/ports"],
  "store/background": [...STORE_LEAVES, "inference/background/ports"],
  "store/changes": STORE_LEAVES,
  "store/keys": [...STORE_LEAVES, "store/changes", "inference/ports", "inference/error"],
  "store/partitions": STORE_LEAVES,
  "store/retention": [...STORE_LEAVES, "store/partitions", "store/write/rollups", "store/dashboard/sessions"],
  "store/move": STORE_LEAVES,
  "store/dashboard": [
    ...STORE_LEAVES,
    "store/read",
    "store/bodies",
    "store/settings",
    "store/keys",
    "store/learning",
    "store/write/rollups/count-usage",
    "learning",
    "routing/policy",
  ],
  observability: ["inference/ports"],
  // Several processes on one port: what they do there is not their affair, beyond what they say to each other.
  workers: ["observability", "store/write/spool/drain-requests"],
  dashboard: [
    "store/dashboard",
    "store/keys",
    "store/types/database-state",
    "store/types/inference-body",
    "store/types/quotas",
    "catalog",
    "learning/describe-decision",
    "dashboard/build",
  ],
  "dashboard/build": [],
  "dashboard/web": ["dashboard/router"],
  server: ["facade", "rpc", "admission", "dashboard/plugin", "wire/scan-json"],
  cli: [
    "catalog/model",
    "config",
    "store",
    "learning",
    "routing/policy",
    "routing/equivalence",
    "replay",
    "main.ts",
    "observability",
    "dashboard/build",
    "dashboard/access/fields",
    "dashboard/access/password",
    "workers",
  ],
  "cli.ts": ["cli"],
  "main.ts": ["*"],
  // Parts of the root: each knows the rooms that it puts together, and nobody but the root knows it.
  "main/open-resources.ts": [
    "catalog",
    "config",
    "dashboard/history/content-reader",
    "inference",
    "observability",
    "routing",
    "store",
    "upstream/registry",
    "upstream/webhook-client",
  ],
  "main/create-services.ts": [
    "main/open-resources",
    "admission",
    "catalog/model-message",
    "feedback",
    "inference",
    "observability",
    "routing/equivalence/audit-message",
    "rpc",
    "store/learning/workload-directory",
  ],
  "main/dashboard-dependencies.ts": [
    "main/open-resources",
    "dashboard/dependencies",
    "store/dashboard/dashboard-store",
  ],
};

/** Packages that belong to some rooms only. */
const onlyIn: Record<string, readonly string[]> = {
  fastify: ["facade", "server", "dashboard", "main"],
  "@fastify/": ["dashboard", "facade", "server"],
  react: ["dashboard/web"],
  "@mantine/": ["dashboard/web"],
  vite: ["dashboard/build"],
  "@connectrpc/": ["rpc", "facade/client", "server", "admission/context-key.ts"],
  "@mikro-orm/": ["store"],
  kysely: ["store"],
  // What has no limit to a statement is not reached past what has one.
  pg: ["store/database", "store/changes"],
  "node:sqlite": ["store/database", "store/write/spool/folder-lock.ts"],
  zod: ["config", "catalog", "dashboard"],
  undici: ["upstream/connection.ts", "upstream/http.ts", "upstream/http-exchange.ts"],
  "@trpc/": ["dashboard"],
  "prom-client": ["observability"],
};

const src = join(import.meta.dirname, "..", "src");
const files = globSync("**/*.{ts,tsx}", { cwd: src }).map((file) => file.split(sep).join("/"));

function roomOf(file: string): string | undefined {
  const names = Object.keys(rooms).filter((room) => file === room || file.startsWith(`${room}/`));
  return names.sort((a, b) => b.length - a.length)[0];
}

/** `upstream/*` means the files directly in that folder; `inference/error` means that file; `wire` means the whole room. */
function allows(rule: string, target: string): boolean {
  if (rule === "*") return true;
  if (rule.endsWith("/*")) return dirname(target) === rule.slice(0, -2);
  return target === rule || target === `${rule}.ts` || target.startsWith(`${rule}/`);
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, specifier]) => specifier ?? "");
}

function resolve(file: string, specifier: string): string {
  return relative(src, join(src, dirname(file), specifier))
    .split(sep)
    .join("/");
}

function violations(file: string): string[] {
  const room = roomOf(file);
  if (room === undefined) return [`${file} stands in no room`];
  return importsOf(file).flatMap((specifier) => {
    if (!specifier.startsWith(".")) return packageViolation(file, specifier);
    const target = resolve(file, specifier);
    if (/^(?:\.\.\/gen|lib|hub)\//.test(target)) return [];
    if (target.startsWith(`${room}/`) || target === room) {
      const inner = roomOf(target);
      if (inner === room) return [];
    }
    const allowed = (rooms[room] ?? []).some((rule) => allows(rule, target));
    return allowed ? [] : [`${file} imports ${target}, which the room ${room} may not`];
  });
}

function packageViolation(file: string, specifier: string): string[] {
  return Object.entries(onlyIn).flatMap(([name, places]) => {
    const matches = name.endsWith("/")
      ? specifier.startsWith(name)
      : specifier === name || specifier.startsWith(`${name}/`);
    if (!matches || file === "main.ts" || places.some((place) => file === place || file.startsWith(`${place}/`)))
      return [];
    return [`${file} imports ${specifier}, which only ${places.join(", ")} may`];
  });
}

/** Circles of imports, those of types included: of each the shortest that leads through the first of its files. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const seen = new Set<string>();
  for (const file of [...imports.keys()].sort()) {
    if (seen.has(file)) continue;
    const circle = circleThrough(file, imports);
    if (circle === undefined) continue;
    for (const member of circle) seen.add(member);
    circles.push([...circle, file].join(" -> "));
  }
  return circles;
}

/** Follows imports breadth first until they come back; undefined if they do not. */
function circleThrough(start: string, imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const target of imports.get(file) ?? []) {
      if (target === start) return pathTo(file, start, cameFrom);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, file);
      queue.push(target);
    }
  }
  return undefined;
}

function pathTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  for (let at: string | undefined = end; at !== undefined && at !== start; at = cameFrom.get(at)) path.unshift(at);
  return [start, ...path];
}

describe("architecture", () => {
  it("finds the source files", () => {
    expect(files.length).toBeGreaterThan(50);
  });

  it("lets each room import what it may, and nothing else", () => {
    expect(files.flatMap(violations)).toEqual([]);
  });

  it("has no circle of imports, those of types included", () => {
    const imports = files.map((file) => {
      const own = importsOf(file).filter((specifier) => specifier.startsWith("."));
      return [file, own.map((specifier) => resolve(file, specifier))] as const;
    });
    expect(circlesOf(new Map(imports))).toEqual([]);
  });

  it("names the files of a circle in the order in which they import each other", () => {
    const imports = new Map([
      ["a.ts", ["b.ts"]],
      ["b.ts", ["c.ts", "d.ts"]],
      ["c.ts", ["b.ts"]],
      ["d.ts", ["e.ts"]],
      ["e.ts", ["b.ts", "e.ts"]],
    ]);
    expect(circlesOf(imports)).toEqual(["b.ts -> c.ts -> b.ts", "d.ts -> e.ts -> b.ts -> d.ts"]);
  });

  it("lets nobody import main", () => {
    const importers = files.filter((file) => importsOf(file).some((name) => /(^|\/)main\.ts$/.test(name)));
    expect(importers.filter((file) => !file.startsWith("cli"))).toEqual([]);
  });

  it("keeps every file under 500 lines, and those over 300 give a reason", () => {
    const tooLong = files.filter((file) => {
      const text = readFileSync(join(src, file), "utf8");
      const lines = text.split("\n").length;
      return lines > 500 || (lines > 300 && !/longer than 300 lines/i.test(text));
    });
    expect(tooLong).toEqual([]);
  });
});
