import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { listSources } from "../src/dashboard/build/build-places.ts";

/** What reading and writing share. */
const STORE_LEAVES = ["figures", "store/types", "store/entities", "store/database"];

/**
 * Who may import whom, from the ground up. A room is the longest matching prefix of a file's path below src, `*` being
 * any folder; it may import itself and the rooms within it, the rooms named beside it, and lib and gen, which everybody
 * may import.
 */
const rooms: Record<string, readonly string[]> = {
  lib: [],
  vocabulary: [],
  catalog: [],
  config: ["hub", "vocabulary", "alerts", "catalog", "quotas"],
  hub: ["catalog", "vocabulary/key-permissions", "vocabulary/money"],
  admission: ["hub", "vocabulary"],
  alerts: ["hub", "quotas/quota-fields"],
  operations: [
    "hub",
    "vocabulary",
    "catalog",
    "figures",
    "alerts",
    "quotas",
    "store",
    "inference/run/validate",
    "learning",
  ],
  feedback: ["hub"],
  figures: ["hub", "vocabulary/money"],
  quotas: ["hub", "vocabulary/call-names", "vocabulary/money", "catalog", "inference/ports", "inference/records"],
  formats: ["hub", "catalog/facts", "vocabulary/money"],
  "formats/chat": ["hub", "catalog/facts", "formats/shared"],
  "formats/responses": ["hub", "catalog/facts", "formats/shared"],
  "formats/messages": ["hub", "formats/shared"],
  "formats/embeddings": ["hub", "formats/shared"],
  upstream: ["hub", "formats", "config/config", "config/auth-config", "config/connection-config", "catalog/directive"],
  facade: ["hub", "vocabulary/money", "formats", "admission", "figures", "operations/operations"],
  inference: ["hub", "catalog"],
  "inference/history": ["hub", "catalog", "inference/ports", "inference/records", "inference/checks"],
  "inference/checks": ["hub", "catalog", "inference/ports", "inference/history/foreign-members"],
  "inference/attempts": [
    "hub",
    "catalog",
    "inference/ports",
    "inference/records",
    "inference/checks",
    "inference/history",
  ],
  learning: ["hub", "vocabulary", "inference/ports"],
  "learning/bandit": ["hub"],
  "learning/best-of-n": ["hub"],
  routing: ["hub", "catalog", "inference", "learning"],
  rpc: [
    "hub",
    "vocabulary/administrator",
    "vocabulary/change-origin",
    "admission",
    "operations/create-operations",
    "feedback",
    "figures",
    "inference",
    "learning",
  ],
  observability: ["hub", "inference/ports"],
  replay: ["hub", "vocabulary/metric-overrides", "learning"],
  imports: ["vocabulary/money", "catalog"],
  store: [
    "hub",
    "vocabulary",
    "figures",
    "feedback/ports",
    "inference/ports",
    "inference/background/ports",
    "inference/idempotency/ports",
    "learning",
    "alerts",
    "quotas/leases",
    "quotas/quota",
    "quotas",
  ],
  "store/read": [
    "hub",
    "vocabulary",
    "feedback/ports",
    "inference/ports",
    ...STORE_LEAVES,
    "store/bodies",
    "store/peers",
  ],
  "store/write": [
    "hub",
    "vocabulary",
    "feedback/ports",
    "inference/ports",
    "learning/events",
    ...STORE_LEAVES,
    "store/bodies",
    "store/changes",
  ],
  workers: ["observability", "store/write/spool/drain-requests"],
  dashboard: [
    "hub",
    "vocabulary",
    "figures",
    "admission/receive-body",
    "alerts",
    "formats",
    "catalog",
    "quotas",
    "learning/control-message",
    "learning/families/prompt-text",
    "learning/learner/describe-decision",
    "learning/learner/figures",
    "operations",
    "store/dashboard",
    "store/read",
    "store/bodies",
    "store/entities",
    "store/learning/workload-points",
    "store/end-users",
    "store/keys",
    "store/types",
  ],
  "dashboard/web": [
    "hub",
    "vocabulary",
    "alerts/kinds",
    "figures",
    "quotas",
    "dashboard/router",
    "dashboard/features/*/web",
  ],
  "dashboard/features/*/web": [
    "hub",
    "vocabulary",
    "alerts/kinds",
    "figures",
    "quotas",
    "dashboard/web",
    "dashboard/features/*/web",
  ],
  openapi: ["hub", "formats", "facade", "figures"],
  server: ["hub/held-bytes", "hub/request-summary", "admission", "facade", "rpc", "dashboard/plugin", "openapi/text"],
  main: ["*"],
  "main.ts": ["*"],
  cli: ["*"],
  "cli.ts": ["cli"],
};

/** Packages that belong to some rooms only. */
const onlyIn: Record<string, readonly string[]> = {
  fastify: ["facade", "server", "dashboard", "main"],
  "@fastify/": ["dashboard", "facade", "server"],
  react: ["dashboard/web", "dashboard/features/*/web"],
  "@mantine/": ["dashboard/web", "dashboard/features/*/web"],
  vite: ["dashboard/build"],
  "@connectrpc/": [
    "rpc",
    "facade/client",
    "cli/explain-unreachable.ts",
    "cli/open-admin-client.ts",
    "server",
    "admission/context-key.ts",
    "observability/telemetry/sdk",
  ],
  "@mikro-orm/": ["store"],
  kysely: ["store"],
  // A statement has a limit of time there, which it must not get past.
  pg: ["store/database", "store/changes"],
  "node:sqlite": ["store/database", "store/write/spool/folder-lock.ts"],
  zod: ["config", "catalog", "dashboard"],
  undici: [
    "upstream/ask-models.ts",
    "upstream/auth",
    "upstream/connection.ts",
    "upstream/connector.ts",
    "upstream/http.ts",
    "upstream/http-exchange.ts",
  ],
  "@trpc/": ["dashboard"],
  "prom-client": ["observability"],
  // Loaded only where mail is sent.
  nodemailer: ["alerts/send-mail.ts"],
  // Loaded only where somebody signs in through a provider.
  "openid-client": ["dashboard/features/sign-in"],
  jose: ["dashboard/features/sign-in"],
  // Loaded only where something is exported.
  "@opentelemetry/": ["observability/telemetry/sdk"],
};

/** Where the code of the dashboard stands that browsers run; all else of src runs in the service. */
const IN_BROWSER = ["dashboard/web", "dashboard/features/*/web"];
/** What the browser's code may load of the rest, with what these load themselves; of all else it may know types. */
const CARRIED = [
  "lib",
  "hub",
  "vocabulary",
  "alerts/kinds.ts",
  "figures/measures.ts",
  "figures/usage.ts",
  "quotas",
  "../gen",
];
/** Packages that rooms share with the browser's code, which is not to load them. */
const NOT_CARRIED = /^(?:node:|zod$|@?fastify|@trpc\/server)/;

const src = join(import.meta.dirname, "..", "src");
const files = globSync("**/*.{ts,tsx}", { cwd: src }).map((file) => file.split(sep).join("/"));

function roomOf(file: string): string | undefined {
  const names = Object.keys(rooms).filter((room) => stands(file, room));
  return names.sort((a, b) => b.length - a.length)[0];
}

/** Tells whether a file is a place or stands below it; `*` in a place is any folder. */
function stands(file: string, place: string): boolean {
  const folders = file.split("/");
  return place.split("/").every((name, at) => name === folders[at] || (name === "*" && at < folders.length - 1));
}

/**
 * `upstream/*` means the files directly in that folder; `inference/error` means that file; `wire` means the whole room.
 */
function allows(rule: string, target: string): boolean {
  if (rule === "*") return true;
  if (rule.endsWith("/*")) return dirname(target) === rule.slice(0, -2);
  return target === rule || target === `${rule}.ts` || stands(target, rule);
}

function importsOf(file: string): string[] {
  return findImports(readFileSync(join(src, file), "utf8"));
}

/** The imports of a file that are left when it runs: those of types are erased. */
function loadsOf(file: string): string[] {
  return findImports(readFileSync(join(src, file), "utf8").replaceAll(/^(?:import|export) type [^;]*;/gm, ""));
}

function findImports(text: string): string[] {
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
    if (/^(?:\.\.\/gen|lib)\//.test(target)) return [];
    if (target.startsWith(`${room}/`) || target === room) return [];
    const allowed = (rooms[room] ?? []).some((rule) => allows(rule, target));
    return allowed ? [] : [`${file} imports ${target}, which the room ${room} may not`];
  });
}

function packageViolation(file: string, specifier: string): string[] {
  return Object.entries(onlyIn).flatMap(([name, places]) => {
    const matches = name.endsWith("/")
      ? specifier.startsWith(name)
      : specifier === name || specifier.startsWith(`${name}/`);
    if (!matches || file === "main.ts" || places.some((place) => stands(file, place))) return [];
    return [`${file} imports ${specifier}, which only ${places.join(", ")} may`];
  });
}

function runsInBrowser(file: string): boolean {
  return IN_BROWSER.some((place) => stands(file, place));
}

/** The files of src that the browser loads, and what it would load that belongs to the service. */
function loadInBrowser(): { readonly loaded: readonly string[]; readonly ofService: readonly string[] } {
  const reached = new Set(files.filter(runsInBrowser));
  const ofService: string[] = [];
  for (const file of reached) {
    for (const specifier of loadsOf(file)) {
      const target = specifier.startsWith(".") ? resolve(file, specifier) : specifier;
      const isOfService = specifier.startsWith(".")
        ? /\.tsx?$/.test(target) && !runsInBrowser(target) && !CARRIED.some((place) => stands(target, place))
        : NOT_CARRIED.test(target);
      if (isOfService) ofService.push(`${file} loads ${target}, which only the service may`);
      else if (/^(?!\.\.).*\.tsx?$/.test(target)) reached.add(target);
    }
  }
  return { loaded: [...reached], ofService };
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

  it("loads nothing of the service in a browser, of which it may know types", () => {
    expect(loadInBrowser().ofService).toEqual([]);
  });

  it("builds the pages anew when a file has changed that the browser loads", () => {
    const sources = new Set(listSources());
    expect(loadInBrowser().loaded.filter((file) => !sources.has(`src/${file}`))).toEqual([]);
  });

  it("imports nothing of the browser in the service, types included", () => {
    const found = files
      .filter((file) => !runsInBrowser(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((specifier) => specifier.startsWith(".") && runsInBrowser(resolve(file, specifier)))
          .map((specifier) => `${file} imports ${resolve(file, specifier)}`),
      );
    expect(found).toEqual([]);
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
