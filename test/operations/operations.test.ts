import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ADMIN_ROUTES } from "../../src/facade/administration/routes.ts";
import {
  ADMIN_METHODS,
  type AdminMethod,
  isChange,
  OPERATIONS,
  type Operation,
} from "../../src/operations/operations.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { ADMIN_SCOPES, type AdminScope } from "../../src/vocabulary/administrator.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** All scopes that an operation needs. */
function scopesOf(method: AdminMethod): readonly AdminScope[] {
  const operation: Operation = OPERATIONS[method];
  return [operation.scope, ...(operation.also ?? [])];
}

describe("OPERATIONS", () => {
  it("names each operation once, with a scope that changes if the operation does", () => {
    const names = ADMIN_METHODS.map((method) => OPERATIONS[method].name);
    expect(new Set(names).size).toBe(names.length);
    for (const method of ADMIN_METHODS) {
      const { name, scope } = OPERATIONS[method];
      expect(name.split(".")[0]).toBe(scope.split(":")[0]);
    }
  });

  it("is the table of docs/admin-operations.md", () => {
    const file = join(import.meta.dirname, "../../docs/admin-operations.md");
    const rows = ADMIN_METHODS.map((method) => {
      const { name } = OPERATIONS[method];
      const scopes = scopesOf(method).map((scope) => `\`${scope}\``);
      return `| \`${name}\` | \`${AdminService.method[method].name}\` | ${scopes.join(", ")} | ${isChange(OPERATIONS[method]) ? "yes " : ""}|`;
    });
    const page = readFileSync(file, "utf8");
    const [, head = "", end = ""] =
      /^([\s\S]*<!-- operations: [^\n]*\n)[\s\S]*(<!-- end of operations -->[\s\S]*)$/.exec(page) ?? [];
    const expected = `${head}${rows.join("\n")}\n${end}`;
    if (process.env["UPDATE_DOCS"] !== undefined) writeFileSync(file, expected);
    expect(readFileSync(file, "utf8")).toBe(expected);
  });

  it("needs every scope for something", () => {
    expect(new Set(ADMIN_METHODS.map((method) => OPERATIONS[method].scope))).toEqual(new Set(ADMIN_SCOPES));
  });

  it("lets an operation change something that its RPC does not call free of side effects", () => {
    const free = AdminService.methods.filter(({ idempotency }) => idempotency === 1).map(({ localName }) => localName);
    expect(free).toEqual(ADMIN_METHODS.filter((method) => !isChange(OPERATIONS[method])));
  });
});

describe("the scopes of admin keys", () => {
  let service: TestService;
  const keys = new Map<string, string>();

  beforeAll(async () => {
    service = await startTestService();
    for (const scope of ADMIN_SCOPES) keys.set(scope, await newKey(undefined, scope));
    keys.set("bound", await newKey(DEFAULT_PROJECT.id, ...ADMIN_SCOPES));
    keys.set("all", await newKey(undefined, ...ADMIN_SCOPES));
  });
  afterAll(() => service.close());

  async function newKey(projectId: string | undefined, ...scopes: AdminScope[]): Promise<string> {
    return (await createAdminKey(service.store, { name: "test", scopes, projectId, expiresAt: null })).key;
  }

  /** Returns the key of all scopes but one. */
  async function allBut(scope: AdminScope, others: readonly AdminScope[]): Promise<string> {
    const known = keys.get(`not ${scope}`) ?? (await newKey(undefined, ...others));
    keys.set(`not ${scope}`, known);
    return known;
  }

  /** Sends a request of no content: who may send it is answered, or told what is wrong with it. */
  async function isAllowed(verb: string, path: string, key: string): Promise<boolean> {
    const headers = { authorization: `Bearer ${key}`, ...(verb !== "GET" && { "content-type": "application/json" }) };
    const body = verb === "GET" ? {} : { body: "{}" };
    const { status } = await fetch(`${service.url}${path}`, { method: verb, headers, ...body });
    if (status === 403) return false;
    expect([200, 400, 404]).toContain(status);
    return true;
  }

  const WAYS = [
    ...ADMIN_METHODS.map((method) => {
      return [method, "POST", `/${AdminService.typeName}/${AdminService.method[method].name}`] as const;
    }),
    ...Object.entries(ADMIN_ROUTES).flatMap(([path, verbs]) => {
      const filled = path
        .replace(":project", "none")
        .replace(":id", "none")
        .replace(":model", "none")
        .replace(":member", "none")
        .replace(":kind", "project?project=none");
      return Object.entries(verbs).map(([verb, { rpc }]) => [rpc, verb, filled] as const);
    }),
  ];

  it("has a route of JSON for each operation", () => {
    const routes = Object.values(ADMIN_ROUTES).flatMap((verbs) => Object.values(verbs).map(({ rpc }) => rpc));
    expect([...routes].sort()).toEqual([...ADMIN_METHODS].sort());
  });

  it.each(WAYS)("decide who may %s by %s %s", async (method, verb, path) => {
    const needed = scopesOf(method);
    for (const scope of ADMIN_SCOPES) {
      const isEnough = needed.every((each) => scope === each || scope === each.replace(":read", ":write"));
      expect([scope, await isAllowed(verb, path, keys.get(scope) ?? "")]).toEqual([scope, isEnough]);
    }
    const isOfProject = !("isInstallationWide" in OPERATIONS[method]);
    expect(await isAllowed(verb, path, keys.get("bound") ?? "")).toBe(isOfProject);
    for (const scope of needed.length > 1 ? needed : []) {
      const others = ADMIN_SCOPES.filter((each) => each !== scope && each !== scope.replace(":read", ":write"));
      expect([scope, await isAllowed(verb, path, await allBut(scope, others))]).toEqual([scope, false]);
    }
    expect(await isAllowed(verb, path, keys.get("all") ?? "")).toBe(true);
    expect(await isAllowed(verb, path, service.key)).toBe(false);
  });
});
