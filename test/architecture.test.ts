import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Who may import whom. A room is the longest matching prefix of a file's path below src. Packages are allowed unless
 * `onlyIn` keeps them to some rooms.
 */
const rooms: Record<string, readonly string[]> = {
  lib: [],
  wire: [],
  catalog: [],
  config: ["catalog"],
  inference: ["catalog", "wire/scan-json"],
  admission: ["inference/error", "inference/ports"],
  feedback: ["inference/error", "inference/ports"],
  routing: ["inference/ports", "inference/error", "catalog"],
  upstream: ["wire", "inference/ports", "inference/error", "inference/events"],
  "upstream/openai-chat": ["wire", "upstream/*", "inference/ports", "inference/error", "inference/events"],
  "upstream/openai-responses": ["wire", "upstream/*", "inference/ports", "inference/error", "inference/events"],
  "upstream/anthropic-messages": ["wire", "upstream/*", "inference/ports", "inference/error", "inference/events"],
  "upstream/sandbox": ["wire", "upstream/*", "inference/ports", "inference/error", "inference/events", "catalog"],
  "upstream/registry.ts": ["upstream", "config", "inference/ports"],
  facade: ["wire", "facade", "admission", "inference/error", "inference/error-detail"],
  "facade/chat": ["wire", "facade/*", "inference/error"],
  "facade/responses": ["wire", "facade/*", "inference/error"],
  "facade/messages": ["wire", "facade/*", "facade/client", "inference/error", "admission/inference-headers"],
  "facade/feedback": ["wire", "facade/*", "facade/client", "inference/error"],
  "facade/models": ["wire", "facade/*", "facade/client", "inference/error"],
  rpc: ["admission", "inference", "feedback", "wire/scan-json"],
  store: ["inference/ports", "inference/error", "feedback/ports", "catalog", "routing/ports"],
  observability: ["inference/ports"],
  dashboard: ["store/dashboard", "store/keys", "store/database-state", "catalog", "dashboard/build"],
  "dashboard/build": [],
  "dashboard/web": ["dashboard/router"],
  server: ["facade", "rpc", "admission", "dashboard/plugin", "wire/scan-json"],
  cli: ["config", "store", "main.ts", "observability", "dashboard/build"],
  "cli.ts": ["cli"],
  "main.ts": ["*"],
};

/** Packages that belong to some rooms only. */
const onlyIn: Record<string, readonly string[]> = {
  fastify: ["facade", "server", "dashboard"],
  "@fastify/": ["dashboard"],
  react: ["dashboard/web"],
  "@mantine/": ["dashboard/web"],
  vite: ["dashboard/build"],
  "@connectrpc/": ["rpc", "facade/client", "server", "admission/context-key.ts"],
  "@mikro-orm/": ["store"],
  kysely: ["store"],
  pg: ["store"],
  zod: ["config", "catalog", "dashboard"],
  undici: ["upstream/http.ts", "upstream/http-exchange.ts"],
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
    if (target.startsWith("../gen/") || target.startsWith("lib/")) return [];
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

describe("architecture", () => {
  it("finds the source files", () => {
    expect(files.length).toBeGreaterThan(50);
  });

  it("lets each room import what it may, and nothing else", () => {
    expect(files.flatMap(violations)).toEqual([]);
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
