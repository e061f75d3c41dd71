import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CreateAdminKeyRequestSchema, ListAdminKeysRequestSchema } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ErrorReason } from "../../src/hub/error.ts";
import { createOperations, type Operations } from "../../src/operations/create-operations.ts";
import { AdminKeyAuthenticator } from "../../src/store/admin-keys/admin-key-authenticator.ts";
import { createProjects } from "../../src/store/dashboard/projects.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ADMIN_SCOPES, type Administrator, type AdminScope } from "../../src/vocabulary/administrator.ts";
import { ADMIN_PORTS } from "../support/admin-ports.ts";

const learning = () => ({ mode: "observe", shadow: { share: 0, judge: undefined, usdPerDay: 1 } }) as const;

/** A caller with an admin key. */
const keyWith = (scopes: readonly AdminScope[], projectId?: string): Administrator => ({
  kind: "admin-key",
  id: "abcdefghijkl",
  label: "terraform",
  scopes,
  projectId,
});
const ALL = keyWith(ADMIN_SCOPES);

describe("admin keys by admin keys", () => {
  let store: Store;
  let operations: Operations;
  let other: string;

  beforeAll(async () => {
    store = await openStore("sqlite::memory:");
    operations = createOperations({ ...ADMIN_PORTS, store, modelOf: (name) => name, prefix: "attune", learning });
    other = (await createProjects(store).create("another"))?.id ?? "";
  });
  afterAll(() => store.close());

  const make = (actor: Administrator, request: Parameters<typeof create<typeof CreateAdminKeyRequestSchema>>[1]) =>
    operations.createAdminKey({ actor }, create(CreateAdminKeyRequestSchema, request));
  const list = async (actor: Administrator) => {
    const { adminKeys = [] } = await operations.listAdminKeys({ actor }, create(ListAdminKeysRequestSchema));
    return adminKeys.map(({ name }) => name);
  };
  const revoke = (actor: Administrator, id: string) =>
    operations.revokeAdminKey({ actor }, { $typeName: "attune.admin.v1.RevokeAdminKeyRequest", id, dryRun: false });

  it("are created with a secret that works, listed and revoked, which ends them", async () => {
    const wanted = { name: "ci", scopes: ["keys:write", "usage:read"] };
    const { adminKey, secret = "" } = await make(ALL, { adminKey: wanted, lifetime: durationFromMs(3_600_000) });
    expect(adminKey).toMatchObject({ ...wanted, projectId: "", createdAt: expect.anything() });
    const authenticator = new AdminKeyAuthenticator(store);
    expect(await authenticator.authenticate(secret)).toMatchObject({ label: "ci", scopes: wanted.scopes });
    expect(await list(ALL)).toContain("ci");
    await revoke(ALL, adminKey?.id ?? "");
    expect(await authenticator.authenticate(secret)).toEqual({ rejected: "revoked_key" });
  });

  it("may do no more than their creator, a scope that writes including the one that reads", async () => {
    const creator = keyWith(["admin-keys:write", "keys:write"]);
    const allowed = { name: "reader", scopes: ["keys:read", "admin-keys:read"] };
    expect((await make(creator, { adminKey: allowed })).adminKey).toMatchObject(allowed);
    for (const scope of ADMIN_SCOPES.filter((each) => !/^(admin-)?keys:/.test(each))) {
      const error = { reason: ErrorReason.PERMISSION_DENIED, message: expect.stringContaining(scope) };
      await expect(make(creator, { adminKey: { name: "more", scopes: ["keys:read", scope] } })).rejects.toMatchObject(
        error,
      );
    }
    await expect(make(keyWith(["admin-keys:read", "keys:write"]), { adminKey: allowed })).rejects.toMatchObject({
      reason: ErrorReason.PERMISSION_DENIED,
    });
  });

  it("are of their creator's project, and others do not exist for them", async () => {
    const bound = keyWith(ADMIN_SCOPES, other);
    const scopes = ["keys:read"];
    const own = await make(bound, { adminKey: { name: "own", scopes } });
    expect(own.adminKey?.projectId).toBe(other);
    const foreign = await make(ALL, { adminKey: { name: "foreign", scopes }, project: "default" });
    const global = await make(ALL, { adminKey: { name: "global", scopes } });
    expect(await list(bound)).toEqual(["own"]);
    for (const project of ["default", DEFAULT_PROJECT.id]) {
      const missing = { reason: ErrorReason.NOT_FOUND };
      await expect(make(bound, { adminKey: { name: "x", scopes }, project })).rejects.toMatchObject(missing);
      await expect(make(bound, { adminKey: { name: "x", scopes, projectId: project } })).rejects.toMatchObject(missing);
    }
    for (const { adminKey } of [foreign, global]) {
      await expect(revoke(bound, adminKey?.id ?? "")).rejects.toThrow("id: there is no such admin key");
    }
    expect(await list(ALL)).toEqual(expect.arrayContaining(["own", "foreign", "global"]));
  });

  it("are not created by a dry run, which shows no secret", async () => {
    const before = await list(ALL);
    const tried = await make(ALL, { adminKey: { name: "tried", scopes: ["keys:read"] }, dryRun: true });
    expect(tried).toMatchObject({ adminKey: { name: "tried" }, secret: "" });
    expect(await list(ALL)).toEqual(before);
  });

  it.each([
    [{ name: " ", scopes: ["keys:read"] }, "admin_key.name: must have 1 to 100"],
    [{ name: "x", scopes: [] }, "admin_key.scopes: must have one"],
    [{ name: "x", scopes: ["keys:read", "keys:read"] }, "admin_key.scopes[1]: must be one of"],
    [{ name: "x", scopes: ["keys"] }, "admin_key.scopes[0]: must be one of"],
    [
      { name: "x", scopes: ["keys:read"], expiresAt: timestampFromDate(new Date(1e12)) },
      "admin_key.expires_at: must be in the future",
    ],
  ])("refuse %o", async (adminKey, message) => {
    await expect(make(ALL, { adminKey })).rejects.toThrow(message);
  });
});
