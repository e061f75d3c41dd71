import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey, listKeys, revokeKey } from "../../src/store/keys/key-repository.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { readInference } from "../support/read-inference.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait.ts";

const BOOTSTRAP_KEY = "a bootstrap key without its spaces".replaceAll(" ", "-");

/** "About a second" on a machine that stalls; what is only told again by time is told after half a minute. */
const SOON_MS = 15_000;

// The tests wait for times to pass; those of one engine do that together.
describe.each(ENGINES)("keys on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ databaseUrl: databases.url, yaml: `bootstrapKey: ${BOOTSTRAP_KEY}\n` });
  });

  afterAll(() => service.close());

  async function statusOf(key: string): Promise<number> {
    return (await fetch(`${service.url}/v1/models`, { headers: { "x-api-key": key } })).status;
  }

  /**
   * Uses a key again and again, as a busy client does, until it is refused; resolves to the milliseconds that it took.
   */
  async function untilRefused(key: string): Promise<number> {
    const start = performance.now();
    await waitUntil(async () => (await statusOf(key)) === 401);
    return performance.now() - start;
  }

  it.concurrent("takes a key from the moment it is created", async () => {
    const { key } = await createKey(service.store, { name: "new" });
    expect(await statusOf(key)).toBe(200);
  });

  it.concurrent("refuses a revoked key within about a second, also one in use", async () => {
    const { key, info } = await createKey(service.store, { name: "revoked" });
    expect(await statusOf(key)).toBe(200);
    await revokeKey(service.store, info.publicId);
    expect(await untilRefused(key)).toBeLessThan(SOON_MS);
    expect(await statusOf(key)).toBe(401);
  });

  it.concurrent("does the same where another process creates and revokes", async () => {
    const other = await openStore(databases.url);
    try {
      const { key, info } = await createKey(other, { name: "elsewhere" });
      expect(await statusOf(key)).toBe(200);
      await revokeKey(other, info.publicId);
      expect(await untilRefused(key)).toBeLessThan(SOON_MS);
    } finally {
      await other.close();
    }
  });

  it("refuses a key once it has expired, to the moment", async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const { key } = await createKey(service.store, { name: "short", expiresAt });
    try {
      vi.useFakeTimers({ toFake: ["Date"], now: expiresAt.getTime() - 1 });
      expect(await statusOf(key)).toBe(200);
      vi.setSystemTime(expiresAt);
      expect(await statusOf(key)).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  it.concurrent("takes the bootstrap key, as a key of the default project, and nothing like it", async () => {
    expect(await statusOf(BOOTSTRAP_KEY)).toBe(200);
    for (const like of [BOOTSTRAP_KEY.slice(1), `${BOOTSTRAP_KEY}x`, BOOTSTRAP_KEY.toUpperCase()]) {
      expect(await statusOf(like)).toBe(401);
    }
    const headers = { authorization: `Bearer ${BOOTSTRAP_KEY}`, "content-type": "application/json" };
    const body = JSON.stringify({ model: "attune/gpt-6-astra", input: "Hello" });
    const response = await fetch(`${service.url}/v1/responses`, { method: "POST", headers, body });
    const { id } = (await response.json()) as { id: string };
    const stored = await waitUntil(() => readInference(service.store, id));
    expect(stored.row).toMatchObject({ keyId: "bootstrap", projectId: "00000000-0000-7000-8000-000000000001" });
    const shown = (await listKeys(service.store)).map(({ name }) => name);
    expect(shown).not.toContain("bootstrap");
  });

  it.concurrent("tells requests under way from those that come after: a stream goes on when its key is revoked", async () => {
    const { key, info } = await createKey(service.store, { name: "streaming" });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ model: "attune/gpt-6-astra:sandbox-slow=40", input: "Hello", stream: true });
    const response = await fetch(`${service.url}/v1/responses`, { method: "POST", headers, body });
    await revokeKey(service.store, info.publicId);
    expect(await response.text()).toContain("event: response.completed");
  });
});
