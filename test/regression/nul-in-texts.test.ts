import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_ROUTES } from "../../src/facade/administration/routes.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { startTestService, type TestService } from "../support/service.ts";

// PostgreSQL refused the character, and the service said that the database is away, or that it failed itself.
describe.each(ENGINES)("the character U+0000 in texts on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: TestService;
  let admin: string;

  beforeAll(async () => {
    service = await startTestService({ databaseUrl: databases.url });
    admin = (
      await createAdminKey(service.store, { name: "a", scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null })
    ).key;
  });
  afterAll(() => service.close());

  async function ask(method: string, path: string, key: string, body?: object) {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { error } = (await response.json()) as { error?: { message: string; param: string | null } };
    return { status: response.status, param: error?.param, message: error?.message };
  }

  it("is told with its place, in the address and in the body", async () => {
    const problem = "must not hold the character U+0000";
    expect(await ask("GET", "/v1/admin/keys?project=a%00", admin)).toEqual({
      status: 400,
      param: "project",
      message: `project: ${problem}`,
    });
    expect(await ask("POST", "/v1/admin/projects", admin, { name: "a\0" })).toMatchObject({
      status: 400,
      param: "name",
    });
    expect(await ask("POST", "/v1/conversations", service.key, { metadata: { a: "\0" } })).toEqual({
      status: 400,
      param: "metadata.a",
      message: `metadata.a: ${problem}`,
    });
  });

  const READS = Object.entries(ADMIN_ROUTES).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => [verb, path.replace(/:\w+/g, "a%00b")]),
  );

  it.each(READS.filter(([, path]) => path?.includes("%00")))(
    "is no failure of the service by %s %s",
    async (verb = "", path = "") => {
      const { status } = await ask(verb, path, admin, verb === "GET" ? undefined : {});
      expect([400, 404]).toContain(status);
    },
  );

  it("may stand in what is said to models", async () => {
    const items = [{ role: "user", content: "a\0b" }];
    expect(await ask("POST", "/v1/conversations", service.key, { items })).toMatchObject({ status: 200 });
  });
});
