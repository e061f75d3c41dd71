import { describe, expect, it } from "vitest";
import { noteConfiguration } from "../../../src/store/audit/note-configuration.ts";
import { CONFIGURED, readAuditEntries } from "../../../src/store/audit/read-entries.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

it("adds an entry where the version or a section is another one, and keeps no setting itself", async () => {
  const store = await openStore("sqlite::memory:");
  const serve = (version: string, sections: Readonly<Record<string, unknown>>) =>
    noteConfiguration(store, { version, sections });
  const first = { models: [{ name: "small" }], upstreams: { one: { apiKey: "sk-secret" } }, bootstrapKey: undefined };
  await serve("0.2.0", first);
  await serve("0.2.0", structuredClone(first));
  await serve("0.2.0", { ...first, upstreams: { one: { apiKey: "sk-rotated" } } });
  await serve("0.3.0", { ...first, upstreams: { one: { apiKey: "sk-rotated" } }, figures: {} });
  const entries = await readAuditEntries(store, { action: CONFIGURED, limit: 10 });
  expect(entries.map(({ after }) => [after?.["version"], after?.["changed"]])).toEqual([
    ["0.3.0", ["figures"]],
    ["0.2.0", ["upstreams"]],
    ["0.2.0", []],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/sk-|small/);
  await store.close();
});

describe.each(ENGINES)("noteConfiguration() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("adds one entry where several processes begin at once", async () => {
    const { store } = databases;
    const served = { version: "0.3.0", sections: { models: [{ name: "small" }] } };
    await Promise.all(Array.from({ length: 5 }, () => noteConfiguration(store, served)));
    expect(await readAuditEntries(store, { action: CONFIGURED, limit: 10 })).toHaveLength(1);
  });
});
