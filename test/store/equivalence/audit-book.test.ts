import { describe, expect, it, onTestFinished } from "vitest";
import { type AuditKey, addSample, putBack, type Sample } from "../../../src/learning/equivalence/audit-state.ts";
import { createChangeFeed } from "../../../src/store/changes/create-change-feed.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { openAuditCache } from "../../../src/store/equivalence/open-audit-cache.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

/** What takes a second may take longer on a machine that is busy with other tests, and stalls. */
const SOON_MS = 10_000;

const at = new Date("2026-11-23T06:00:00Z");
const plainPlace = { upstream: "first", model: "real" };
let models = 0;
const newKey = (): AuditKey => ({ model: `model-${models++}`, place: { upstream: "second", model: "real" } });

/** The deployment's answer is the longer one: after some twenty samples that is no chance. */
const sampleOf = (key: AuditKey): Sample => ({
  key,
  plainPlace,
  comparison: {
    tosses: [{ measure: "length", coin: 0, isHit: true }],
    hasNull: true,
    distance: 0.5,
    baseDistance: 0.25,
  },
});

describe.each(ENGINES)("openAuditCache() on %s", (engine) => {
  const databases = useDatabases(engine);

  /** A process on the database, with a connection of its own. */
  async function start() {
    const store = await openStore(databases.url);
    const changes = createChangeFeed(store, SILENT_LOG);
    const audits = await openAuditCache(store, { changes });
    onTestFinished(async () => {
      audits.close();
      await changes.close();
      await store.close();
    });
    if (engine === "postgres") await expect.poll(() => changes.isListening).toBe(true);
    const add = (key: AuditKey) => audits.store.change(key, (known) => addSample(known, sampleOf(key), at));
    return { ...audits, add, isOut: ({ model, place }: AuditKey) => audits.cache.isOut(model, place) };
  }

  it("adds up what several processes count at the same time", async () => {
    const processes = [await start(), await start(), await start()];
    const key = newKey();
    await Promise.all(processes.flatMap(({ add }) => Array.from({ length: 5 }, () => add(key))));
    const [state] = (await processes[0]?.store.readAll())?.filter(({ key: of }) => of.model === key.model) ?? [];
    expect(state?.evidence).toMatchObject({ total: { samples: 15, coins: { length: { 0: [15, 0] } } }, nulls: 15 });
    expect(state).toMatchObject({ key, plainPlace, standing: "open", history: [] });
  });

  it("has every process leave out a deployment that one of them found different, within a second or so, and ask it again when it is put back", async () => {
    const [one, other] = [await start(), await start()];
    const key = newKey();
    let began = performance.now();
    for (let count = 0; count < 40; count++) {
      const { after } = await one.add(key);
      if (after.standing === "out") break;
      began = performance.now();
    }
    await expect.poll(() => other.isOut(key)).toBe(true);
    expect(performance.now() - began).toBeLessThan(SOON_MS);
    expect(other.isOut({ ...key, model: "another" })).toBe(false);
    expect(other.isOut({ ...key, place: plainPlace })).toBe(false);
    await other.store.change(key, (known) => putBack(known ?? expect.fail("it is not there"), false, at));
    await expect.poll(() => one.isOut(key)).toBe(false);
  });

  it("begins with what was found before it", async () => {
    const key = newKey();
    const one = await start();
    for (let count = 0; count < 40; count++) await one.add(key);
    const later = await start();
    expect(later.isOut(key)).toBe(true);
    const kept = later.cache.states().find(({ key: of }) => of.model === key.model);
    expect(kept?.history.map(({ kind }) => kind)).toEqual(["different", "taken-out"]);
  });
});
