import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import { startTestService, type TestService } from "../support/service.ts";

// The dashboard checked what a proxy said, and the administrative API did not.
describe("the audit log behind a proxy", () => {
  let service: TestService;
  let key: string;

  beforeAll(async () => {
    service = await startTestService({ yaml: "server: { proxies: 1 }" });
    ({ key } = await createAdminKey(service.store, {
      name: "a",
      scopes: ADMIN_SCOPES,
      projectId: undefined,
      expiresAt: null,
    }));
  });
  afterAll(() => service.close());

  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["198.51.100.9, 2001:db8::7", "2001:db8::7"],
    ["<b>nobody</b>", "127.0.0.1"],
    ["192.0.2.7:4711", "192.0.2.7"],
    ["[2001:db8::8]:4711", "2001:db8::8"],
    ["[2001:db8::9]", "2001:db8::9"],
    ["[192.0.2.8", "127.0.0.1"],
    ["192.0.2.9:port", "127.0.0.1"],
  ])("has of x-forwarded-for: %s the address %s", async (forwarded, address) => {
    const name = `project of ${forwarded.replace(/\W/g, "")}`;
    const response = await fetch(`${service.url}/v1/admin/projects`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "x-forwarded-for": forwarded },
      body: JSON.stringify({ name }),
    });
    expect(response.status).toBe(200);
    const rows = await service.store.query().selectFrom("AuditEntry").select(["address", "targetName"]).execute();
    const written = rows.filter(({ targetName }) => targetName === name);
    expect(written.map((row) => row.address)).toEqual([address]);
  });
});
