import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { createLedger, startLoad } from "./load.ts";
import { compare } from "./parity.ts";
import { probe, signIn } from "./probe.ts";
import { report } from "./report.ts";
import { startServed } from "./served.ts";

const WARM_MS = 5000;
const FROZEN_MS = 45_000;
const CALLERS = 4;
/** A statement, with the wait for its connection, and what a busy machine takes. */
const LONGEST_MS = 8000;
/** A key that is not known is waited for for two seconds. */
const LONGEST_KEY_MS = 4000;

const MESSAGE = { model: "attune/claude-haiku-5-5", max_tokens: 50, messages: [{ role: "user", content: "Hello" }] };

describe("PostgreSQL frozen under load", () => {
  let postgres: PostgresServer;
  let folder: CliFolder;

  beforeAll(async () => {
    postgres = await startPostgres();
    folder = createCliFolder();
  });

  afterAll(async () => {
    postgres.thaw();
    await folder.remove();
    await postgres.stop();
  });

  it("answers everything in time, goes on by itself, and loses nothing", async () => {
    const databaseUrl = postgres.createDatabaseUrl();
    const store = await openStore(databaseUrl);
    const known = (await createKey(store, { name: "known" })).key;
    const others = await Promise.all(
      ["one", "two", "three"].map(async (name) => (await createKey(store, { name })).key),
    );
    const cookie = await signIn(store);
    await store.close();
    const served = await startServed(folder, { ATTUNE_DATABASE_URL: databaseUrl });
    const ask = (path: string, key: string, body?: unknown) =>
      probe(`${served.url}${path}`, {
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
    const chat = (key: string) => ask("/v1/chat/completions", key, MESSAGE);
    const messages = (key: string) => ask("/v1/messages", key, MESSAGE);
    const feedbackOn = (id: string) => ask("/v1/feedback", known, [{ id, feedback: { good: true } }]);
    const continued = () =>
      ask("/v1/responses", known, { model: MESSAGE.model, input: "And?", previous_response_id: responseId });
    const dashboard = () => probe(`${served.url}/dashboard/api/session.current`, { headers: { cookie } });
    const newest = async () => ((await chat(known)).body as { id: string }).id;
    const response = await ask("/v1/responses", known, { model: MESSAGE.model, input: "Hello" });
    const { id: responseId } = response.body as { id: string };
    const stored = () => ask(`/v1/responses/${responseId}`, known);
    const all = (id: string) =>
      Promise.all([
        chat(known),
        chat(others[0] ?? ""),
        messages(others[1] ?? ""),
        feedbackOn(id),
        stored(),
        continued(),
        dashboard(),
      ]);

    const ledger = createLedger();
    const load = startLoad({ url: served.url, key: known, ledger, callers: CALLERS, pauseMs: 50 });
    const old = await newest();
    ledger.inferences.push(old, responseId);
    await delay(WARM_MS);
    expect((await stored()).status).toBe(200);
    expect((await dashboard()).status).toBe(200);
    postgres.freeze();
    const began = performance.now();
    await vi.waitUntil(async () => (await served.checks())["database"] === "away", { timeout: 120_000, interval: 50 });
    const noticedMs = performance.now() - began;
    const [cached, chatWithOther, messagesWithOther, feedback, storedNow, continuedNow, dashboardNow] = await all(old);
    const ready = (await fetch(`${served.url}/readyz`)).status;
    const unavailable = await fetch(`${served.adminUrl}/metrics`).then((page) => page.text());
    const acknowledged = ledger.inferences.length;
    const fresh = await newest();
    const freshFeedback = await feedbackOn(fresh);
    ledger.inferences.push(fresh, (cached.body as { id: string }).id);
    await delay(Math.max(0, began + FROZEN_MS - performance.now()));
    const during = ledger.inferences.length - acknowledged;
    postgres.thaw();
    const thawed = performance.now();
    await vi.waitUntil(async () => (await served.checks())["database"] === "ok", { timeout: 120_000, interval: 50 });
    const backMs = performance.now() - thawed;
    const afterwards = await all(old);
    await load.stop();
    await vi.waitUntil(async () => (await served.metric("attune_recorder_queued")) === 0, {
      timeout: 120_000,
      interval: 100,
    });
    const caughtUpMs = performance.now() - thawed;
    const answered = [...afterwards.slice(0, 2), ...afterwards.slice(5, 6)];
    ledger.inferences.push(...answered.map(({ body }) => (body as { id: string }).id));
    const ms = (probes: Readonly<Record<string, { ms: number; status: number }>>) =>
      Object.entries(probes)
        .map(([name, one]) => `${name} ${one.status} in ${one.ms.toFixed(0)} ms`)
        .join(", ");
    report(
      `PostgreSQL frozen for ${FROZEN_MS / 1000} s: noticed after ${noticedMs.toFixed(0)} ms, ${during} inferences meanwhile, ` +
        `${ledger.failures.length} failed requests of ${ledger.sent}; ` +
        ms({
          cached,
          chatWithOther,
          messagesWithOther,
          feedback,
          freshFeedback,
          storedNow,
          continuedNow,
          dashboardNow,
        }),
    );
    report(
      `PostgreSQL thawed: ok after ${backMs.toFixed(0)} ms, all written after ${caughtUpMs.toFixed(0)} ms; ` +
        `then ${afterwards.map(({ status }) => status).join(" ")}`,
    );
    expect(ready).toBe(200);
    expect(unavailable).toContain('attune_database_unavailable{reason="away"} 1');
    expect(cached.status).toBe(200);
    expect([chatWithOther, messagesWithOther]).toMatchObject([
      { status: 503, body: { error: { message: expect.stringContaining("the API key cannot be checked") } } },
      {
        status: 503,
        body: { type: "error", error: { message: expect.stringContaining("the API key cannot be checked") } },
      },
    ]);
    expect(Number(chatWithOther.retryAfter)).toBeGreaterThan(0);
    expect(Number(messagesWithOther.retryAfter)).toBeGreaterThan(0);
    expect(feedback.body).toMatchObject([{ error: { status_code: 503 } }]);
    expect(freshFeedback).toMatchObject({ status: 200, body: [{ error: null }] });
    for (const one of [storedNow, continuedNow, dashboardNow]) {
      expect(one.status).toBe(503);
      expect(Number(one.retryAfter)).toBeGreaterThan(0);
    }
    for (const one of [feedback, storedNow, continuedNow, dashboardNow]) expect(one.ms).toBeLessThan(LONGEST_MS);
    for (const one of [cached, chatWithOther, messagesWithOther]) expect(one.ms).toBeLessThan(LONGEST_KEY_MS);
    expect(afterwards.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200]);
    expect(afterwards[3]?.body).toMatchObject([{ error: null }]);
    // Feedback on what was written just before the server froze, and is now known to it alone.
    for (const failure of ledger.failures) expect(failure).toContain("the feedback cannot be stored at the moment");
    expect(ledger.failures.length).toBeLessThanOrEqual(CALLERS);
    expect(during).toBeGreaterThan(500);
    expect(await served.end()).toBe(0);
    const { lostInferences, lostFeedback, rollupSurplus } = await compare(databaseUrl, ledger);
    expect({ lostInferences, lostFeedback, rollupSurplus }).toEqual({
      lostInferences: 0,
      lostFeedback: 0,
      rollupSurplus: 0,
    });
  });
});
