import { expect, it, vi } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import type { Resources } from "../../src/main/open-resources.ts";
import { reload } from "../../src/main/reload.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { openKnownQuotas } from "../../src/store/quotas/known-quotas.ts";

it("hands on the quotas of all that have none by name, and asks for no restart", async () => {
  const config = loadConfig({}, "/nowhere");
  const store = await openStore("sqlite::memory:");
  const quotaBook = await openKnownQuotas(store, { defaults: config.quotas });
  const generations = { reload: async () => {} } as unknown as Resources["generations"];
  const call = { projectId: "p", keyId: "k", endUserId: undefined, tags: {} };
  expect(quotaBook.find(call)).toEqual([]);
  const next = { ...config, quotas: { ...config.quotas, eachKey: { requestsPerMinute: 1 } } };
  expect(await reload(next, { generations, quotaBook }, { config, store })).toEqual([]);
  expect(quotaBook.find(call)).toEqual([{ kind: "key", subject: "key:k", quota: { requestsPerMinute: 1 } }]);
  quotaBook.close();
  await store.close();
});

it("shows a renewed certificate, and asks for a restart to switch TLS on", async () => {
  const config = loadConfig({}, "/nowhere");
  const store = await openStore("sqlite::memory:");
  const quotaBook = await openKnownQuotas(store, { defaults: config.quotas });
  const generations = { reload: async () => {} } as unknown as Resources["generations"];
  const withTls = (cert: string) => ({ ...config, server: { ...config.server, tls: { cert, key: "key" } } });
  const terminator = { replace: vi.fn() };
  const parts = { generations, quotaBook, terminator };
  expect(await reload(withTls("new"), parts, { config: withTls("old"), store })).toEqual([]);
  expect(terminator.replace.mock.calls).toEqual([[{ cert: "new", key: "key" }]]);
  expect(await reload(withTls("new"), { generations, quotaBook }, { config, store })).toEqual(["server"]);
  expect(await reload(config, parts, { config: withTls("old"), store })).toEqual(["server"]);
  quotaBook.close();
  await store.close();
});

it("changes nothing where a certificate is refused", async () => {
  const config = loadConfig({}, "/nowhere");
  const store = await openStore("sqlite::memory:");
  const quotaBook = await openKnownQuotas(store, { defaults: config.quotas });
  const generations = { reload: vi.fn() };
  const terminator = {
    replace() {
      throw new Error("refused");
    },
  };
  const tls = { cert: "cert", key: "key" };
  const next = { ...config, server: { ...config.server, tls }, quotas: { ...config.quotas, eachKey: {} } };
  const parts = { generations: generations as unknown as Resources["generations"], quotaBook, terminator };
  await expect(reload(next, parts, { config: next, store })).rejects.toThrow("refused");
  expect(generations.reload).not.toHaveBeenCalled();
  quotaBook.close();
  await store.close();
});
