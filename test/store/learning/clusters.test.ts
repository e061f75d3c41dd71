import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { MessageSchema, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { encodeRequest } from "../../../src/hub/request-bytes.ts";
import { clusterId } from "../../../src/learning/bandit/cluster-id.ts";
import type { WorkloadKey } from "../../../src/learning/workload.ts";
import { newId } from "../../../src/lib/ids.ts";
import { redactInput } from "../../../src/store/bodies/redact.ts";
import { createChangeFeed } from "../../../src/store/changes/create-change-feed.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { openLearning, readPrompts } from "../../../src/store/learning/open-learning.ts";
import { resetWorkload } from "../../../src/store/learning/workload-directory.ts";
import { readWorkload, readWorkloadHistory } from "../../../src/store/learning/workload-reads.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { rebuildNow } from "../../support/rebuild.ts";
import { MODELS, said, served, write } from "./fill.ts";

const WHOLE = "auto:plain";

/** What is asked: base does the sums right and the poems wrong. */
const promptOf = (at: number) =>
  at % 2 === 0
    ? `What is ${at} + ${at * 3}? Answer with a number.`
    : `Write a poem on the snow of the year ${1500 + at}.`;

const inputOf = (text: string) =>
  createHubInput({
    messages: [create(MessageSchema, { role: Role.USER, content: [{ kind: { case: "text", value: { text } } }] })],
  });

describe.each(ENGINES)("clusters of prompts on %s", (engine) => {
  const databases = useDatabases(engine);

  /** A process on the database, with a connection of its own. */
  async function start() {
    const store = await openStore(databases.url);
    const changes = createChangeFeed(store, SILENT_LOG);
    const learning = await openLearning(store, { models: MODELS, mode: "on", priors: {}, changes });
    onTestFinished(async () => {
      await learning.close();
      await changes.close();
      await store.close();
    });
    return learning;
  }

  /** Writes requests with feedback; each has its prompt in the database unless `request` says what is there. */
  async function put(
    { projectId }: WorkloadKey,
    { from, count }: { readonly from: number; readonly count: number },
    {
      familyOf = () => WHOLE,
      request = (text) => encodeRequest(inputOf(text)),
    }: {
      readonly familyOf?: (text: string) => string;
      readonly request?: (text: string) => Uint8Array | undefined;
    } = {},
  ) {
    const rows = Array.from({ length: count }, (_, index) => {
      const text = promptOf(from + index);
      return { text, row: served({ projectId, family: familyOf(text) }) };
    });
    await writeBatch(databases.store, {
      inferences: rows.map(({ row, text }) => {
        const body = request(text);
        return { ...write(row), request: body, response: body && new Uint8Array() };
      }),
      feedback: rows.map(({ row }, index) => said(row, (from + index) % 2 === 0)),
    });
  }

  const learned = async (key: WorkloadKey) => (await readWorkload(databases.store, key))?.learned;

  it("are learned from feedback on, tried, loaded by another process, and used once they predict better", async () => {
    const key = { projectId: newId(), model: "base" };
    const [one, other] = [await start(), await start()];
    await put(key, { from: 0, count: 250 });
    // They are taken on with the next word of feedback after they are found.
    let told = 250;
    const clustersOf = (learning: typeof one) => learning.cache.find(key)?.clusters.get(WHOLE);
    await expect
      .poll(async () => {
        await put(key, { from: told++, count: 1 });
        return clustersOf(other);
      })
      .toBeDefined();
    await expect.poll(() => clustersOf(one)).toBeDefined();
    const [known, same] = [clustersOf(other), clustersOf(one)];
    if (known === undefined || same === undefined) throw new Error("no clusters were learned");
    expect(same.generation).toBe(known.generation);
    const nameOf =
      ({ find, generation }: typeof known) =>
      (text: string) =>
        clusterId({ whole: WHOLE, generation, cluster: find({ text, template: "" }) });
    const texts = Array.from({ length: 40 }, (_, at) => promptOf(5000 + at));
    expect(texts.map(nameOf(same))).toEqual(texts.map(nameOf(known)));

    const rewardsOf = async () => (await learned(key))?.policy.totals["rewards"];
    await expect.poll(rewardsOf).toBe(told);
    await put(key, { from: 1000, count: 400 }, { familyOf: nameOf(known), request: () => undefined });
    await expect.poll(rewardsOf).toBe(told + 400);
    const live = await learned(key);
    expect(live?.familySplits).toMatchObject([{ whole: WHOLE, outcome: "won", tries: 1 }]);
    const divided = (await readWorkloadHistory(databases.store, key, 200)).find(({ kind }) => kind === "divided");
    expect(divided?.detail).toMatchObject({ family: WHOLE, outcome: "won" });
    await expect.poll(() => other.cache.find(key)?.state.families.find(nameOf(known)(promptOf(1000)))).toBeDefined();
    const state = other.cache.find(key)?.state;
    if (state === undefined) throw new Error("the workload is not known");
    const meanOf = (text: string) => {
      const cell = (state.families.find(nameOf(known)(text)) ?? 0) * MODELS.length;
      return (state.sums[cell] ?? 0) / (state.counts[cell] ?? 1);
    };
    // A part of it is what was learned of the family before.
    expect(meanOf(promptOf(1000))).toBeGreaterThan(0.7);
    expect(meanOf(promptOf(1001))).toBeLessThan(0.3);

    const options = { arms: MODELS, priors: {}, databaseUrl: databases.url, projectId: key.projectId };
    const { store } = databases;
    const controls = other.cache.find(key)?.controls;
    if (controls === undefined) throw new Error("the workload is not known");
    await rebuildNow(store, { ...options, controlsOf: () => controls });
    const rebuilt = await learned(key);
    expect(rebuilt?.familySplits).toMatchObject([
      { whole: WHOLE, outcome: "won", model: live?.familySplits?.[0]?.model },
    ]);
    expect(new Set(rebuilt?.policy.families.map(([name]) => name))).toEqual(
      new Set(live?.policy.families.map(([name]) => name)),
    );
    expect(rebuilt?.policy.totals["rewards"]).toBe(live?.policy.totals["rewards"]);

    await resetWorkload(store, key, "someone");
    await expect.poll(() => clustersOf(other)).toBeUndefined();
  });

  it("are not learned where the project stores no prompts, or fewer than tell anything, or the caller names the family", async () => {
    const keys = [0, 1, 2, 3].map(() => ({ projectId: newId(), model: "base" }));
    const [none, redacted, few, named] = keys as [WorkloadKey, WorkloadKey, WorkloadKey, WorkloadKey];
    const learning = await start();
    await put(none, { from: 0, count: 220 }, { request: () => undefined });
    await put(redacted, { from: 0, count: 220 }, { request: (text) => encodeRequest(redactInput(inputOf(text))) });
    await put(few, { from: 0, count: 150 });
    await put(named, { from: 0, count: 220 }, { familyOf: () => "tag:mine" });
    await expect
      .poll(async () => (await Promise.all(keys.map(learned))).map((one) => one?.policy.totals["rewards"]))
      .toEqual([220, 220, 150, 220]);
    // What was found would be taken on with the next word; closing waits for what is under way.
    for (const key of keys) await put(key, { from: 900, count: 1 });
    await expect.poll(async () => (await learned(named))?.policy.totals["rewards"]).toBe(221);
    await learning.close();
    for (const key of keys) expect((await learned(key))?.familySplits).toBeUndefined();
  });

  it("are learned from the latest prompts of the family alone", async () => {
    const key = { projectId: newId(), model: "base" };
    await put(key, { from: 0, count: 5 });
    await put(key, { from: 5, count: 1 }, { familyOf: () => "tag:mine" });
    await put(key, { from: 6, count: 1 }, { familyOf: () => clusterId({ whole: WHOLE, generation: 3, cluster: 1 }) });
    await put({ ...key, projectId: newId() }, { from: 7, count: 1 });
    const large = encodeRequest(inputOf(randomBytes(2 ** 19).toString("base64")));
    await put(key, { from: 8, count: 1 }, { request: () => large });
    const family = { key, family: WHOLE };
    const expected = [6, 4, 3, 2, 1, 0].map(promptOf);
    const textsOf = async (most: number) => (await readPrompts(databases.store, family, most)).map(({ text }) => text);
    expect((await textsOf(600)).toSorted()).toEqual(expected.toSorted());
    expect(await textsOf(2)).toEqual([promptOf(6)]);
  });
});
