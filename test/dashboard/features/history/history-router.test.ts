import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../../src/hub/input.ts";
import { encodeRequest } from "../../../../src/hub/request-bytes.ts";
import { newId } from "../../../../src/lib/ids.ts";
import type { FeedbackEntryRow } from "../../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import type { InferenceAttemptRow } from "../../../../src/store/entities/inference-attempt.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { attemptRow, feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";
import type { Caller } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople, type People } from "../../people.ts";

interface List {
  readonly rows: readonly { readonly id: string }[];
  readonly next: string | null;
  readonly searchedTo: string | null;
  readonly looked: number | null;
}

const LONG = `Begin. ${"word ".repeat(2000)}End.`;
const PIXEL = "aGVsbG8=";

describe.each(ENGINES)("history on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let people: People;
  let viewer: Caller;
  let count = 0;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });

  afterAll(() => service.close());

  /** Each test has a project of its own. */
  async function begin() {
    people = await createPeople(service);
    viewer = people.byRole.viewer;
  }

  async function write(
    minute: number,
    texts: readonly [asked: string, answered: string] | undefined,
    changes: Partial<InferenceRow> = {},
    attempts: readonly Partial<InferenceAttemptRow>[] = [],
  ): Promise<InferenceRow> {
    count += 1;
    const time = `2026-11-21T10:${String(minute).padStart(2, "0")}:00Z`;
    const { projectId } = people;
    const row = inferenceRow({ id: idAt(time, count), projectId, startedAt: new Date(time), ...changes });
    const [asked, answered] = texts ?? ["", ""];
    const input = createHubInput({
      model: "attune/some-model",
      dialect: Dialect.CHAT,
      messages: [{ role: Role.USER, content: [{ kind: { case: "text", value: { text: asked } } }] }],
    });
    const output = create(GenerateResponseSchema, {
      content: [{ kind: { case: "text", value: { text: answered } } }],
    });
    const bodies = texts && {
      request: encodeRequest(input),
      response: toBinary(GenerateResponseSchema, output),
    };
    await writeBatch(service.store, {
      inferences: [
        {
          row,
          attempts: attempts.map((attempt, position) => attemptRow({ ...attempt, id: row.id, position })),
          request: bodies?.request,
          response: bodies?.response,
          words: [asked.slice(0, 200), answered.slice(0, 200)],
        },
      ],
      feedback: [],
    });
    return row;
  }

  const say = ({ id, model, workload }: InferenceRow, changes: Partial<FeedbackEntryRow>) =>
    writeBatch(service.store, {
      inferences: [],
      feedback: [feedbackRow({ inferenceId: id, projectId: people.projectId, model, workload, ...changes })],
    });

  async function list(filter: object, more: object = {}): Promise<List> {
    const { data, error } = await viewer.query("history.list", { projectId: people.projectId, filter, ...more });
    expect(error).toBeUndefined();
    return data as List;
  }

  /** Looks for a text to the end, however many calls that takes: each has only so much time. */
  /** Searches to the end: a page ends when its time is up, too. */
  async function search(text: string, limit: number, window: object = {}): Promise<List[]> {
    const pages: List[] = [];
    for (let next: string | null | undefined; next !== null; ) {
      const page = await list(
        { text, isWhole: true, ...window },
        { limit, ...(next === undefined ? {} : { cursor: next }) },
      );
      pages.push(page);
      next = page.next;
    }
    return pages;
  }

  const idsOf = ({ rows }: List) => rows.map(({ id }) => id);

  it("lists the newest first, page by page", async () => {
    await begin();
    const rows = [await write(1, undefined), await write(2, undefined), await write(3, undefined)];
    const ids = rows.map(({ id }) => id).toReversed();
    const first = await list({}, { limit: 2 });
    expect([idsOf(first), first.next]).toEqual([ids.slice(0, 2), ids[1]]);
    const known = ids.slice(0, 2).map((id) => id.slice(-12));
    expect(idsOf(await list({}, { known: known.join("") }))).toEqual(ids.slice(2));
    const second = await list({}, { limit: 2, cursor: first.next });
    expect([idsOf(second), second.next]).toEqual([ids.slice(2), null]);
    expect(first.rows[0]).toEqual({
      id: ids[0],
      startedAt: "2026-11-21T10:03:00.000Z",
      status: "completed",
      model: "some-model",
      keyId: "abcdefghijkl",
      workload: "support",
      outputTokens: 20,
      usageEstimated: false,
      costNanos: 1000,
      costGaps: [],
      latencyMs: 1000,
      errorReason: null,
      promptTokens: 10,
      servedModel: "some-model",
      sessionId: null,
      endUserId: null,
      tags: null,
      prompt: "",
      answer: "",
      feedback: null,
    });
  });

  it("tells the first words, facts and feedback of a row, and finds its words", async () => {
    await begin();
    const facts = { sessionId: "run-1", endUserId: "ann", tags: { team: "search" } };
    const row = await write(1, ["Where is it?", "=there"], { ...facts, servedModel: "other" });
    const yes = { kind: "boolean", booleanValue: true, floatValue: null };
    await say(row, { name: "helpful", ...yes });
    await say(row, { name: "wrong", optimize: "min", ...yes });
    await say(row, { name: "score", floatValue: 0.5 });
    const [listed] = (await list({ text: "IS it" })).rows;
    const feedback = { good: 1, bad: 1, others: 1 };
    expect(listed).toMatchObject({
      id: row.id,
      servedModel: "other",
      ...facts,
      prompt: "Where is it?",
      answer: "=there",
      feedback,
    });
    expect(idsOf(await list({ text: "run-1" }))).toEqual([]);
    expect((await search("run-1", 50)).flatMap(idsOf)).toEqual([row.id]);
    const input = encodeURIComponent(JSON.stringify({ projectId: people.projectId, filter: {}, format: "csv" }));
    const exported = await fetch(`${service.url}/dashboard/api/export/history?input=${input}`, {
      headers: { cookie: viewer.cookie ?? "" },
    });
    expect(exported.headers.get("content-disposition")).toMatch(/\.csv"$/);
    const [heading = "", line = ""] = (await exported.text()).split("\r\n");
    const end = ',"{""team"":""search""}",10,20,0.000001,,1000,Where is it?,\'=there,1,1,1';
    expect([heading.split(",").length, line]).toEqual([
      21,
      `${row.id},2026-11-21T10:01:00.000Z,completed,,some-model,other,abcdefghijkl,support,run-1,ann${end}`,
    ]);
  });

  it("filters by facts, time, tags and values of feedback", async () => {
    await begin();
    const one = await write(1, undefined, { model: "a", keyId: "k1", workload: "" });
    const two = await write(2, undefined, { model: "b", status: "failed" });
    const three = await write(3, undefined, { model: "b" });
    await say(one, {
      name: "helpful",
      kind: "boolean",
      booleanValue: true,
      floatValue: null,
      tags: { channel: "web" },
    });
    await say(three, { name: "quality", floatValue: 0.4 });
    const cases: readonly (readonly [filter: object, expected: readonly InferenceRow[]])[] = [
      [{ model: "b" }, [three, two]],
      [{ keyId: "k1" }, [one]],
      [{ workload: "" }, [one]],
      [{ model: "b", status: "failed" }, [two]],
      [{ from: "2026-11-21T10:02:00Z", to: "2026-11-21T10:03:00Z" }, [two]],
      [{ tag: { key: "channel", value: "web" } }, [one]],
      [{ metric: { name: "helpful", compare: "=", value: 1 } }, [one]],
      [{ metric: { name: "quality", compare: ">", value: 0.4 } }, []],
      [{ metric: { name: "quality", compare: "<", value: 0.5 }, model: "b" }, [three]],
    ];
    for (const [filter, expected] of cases) {
      expect([filter, idsOf(await list(filter))]).toEqual([filter, expected.map(({ id }) => id)]);
    }
  });

  it("searches in what was asked, answered and in errors, and finds an id", async () => {
    await begin();
    const asked = await write(1, ["Where is the ZIMTSTERN?", "there"]);
    const answered = await write(2, [LONG, "a zimtstern"]);
    const failed = await write(3, undefined, { errorMessage: "no Zimtstern today", status: "failed" });
    await write(4, ["something else", "else"]);
    const pages = await search("zimtStern", 50);
    expect(pages.flatMap(idsOf)).toEqual([failed.id, answered.id, asked.id]);
    const last = pages.findLast(({ searchedTo }) => searchedTo !== null);
    expect(last?.searchedTo).toBe("2026-11-21T10:01:00.000Z");
    expect(pages.reduce((sum, { looked }) => sum + (looked ?? 0), 0)).toBe(4);
    expect(idsOf(await list({ text: asked.id.toUpperCase() }))).toEqual([asked.id]);
    expect(idsOf(await list({ text: newId() }))).toEqual([]);
  });

  it("goes on with a search where it stopped", async () => {
    await begin();
    const ids: string[] = [];
    for (let minute = 1; minute <= 4; minute++) ids.unshift((await write(minute, ["a needle", ""])).id);
    const pages = await search("needle", 2);
    expect(pages.length).toBeGreaterThanOrEqual(2);
    for (const page of pages) expect(page.looked).toBe(page.rows.length);
    expect(pages.flatMap(idsOf)).toEqual(ids);
  });

  it("keeps to a time in lists, searches, exports and what can be filtered by", async () => {
    await begin();
    const rows: InferenceRow[] = [];
    for (const minute of [1, 2, 3, 4]) rows.push(await write(minute, ["same text", "answer"], { model: `m${minute}` }));
    const window = { from: "2026-11-21T10:02:00.000Z", to: "2026-11-21T10:04:00.000Z" };
    const expected = [rows[2]?.id, rows[1]?.id];
    expect(idsOf(await list(window))).toEqual(expected);
    const paged = await list(window, { limit: 1 });
    expect([...idsOf(paged), ...idsOf(await list(window, { limit: 1, cursor: paged.next }))]).toEqual(expected);
    expect((await search("SAME", 50, window)).flatMap(idsOf)).toEqual(expected);
    expect(idsOf(await list({ ...window, model: "m4" }))).toEqual([]);
    const input = encodeURIComponent(JSON.stringify({ projectId: people.projectId, filter: window }));
    const exported = await fetch(`${service.url}/dashboard/api/export/history?input=${input}`, {
      headers: { cookie: viewer.cookie ?? "" },
    });
    const lines = (await exported.text()).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).facts.id)).toEqual(expected);
    const facets = async (times: object) => {
      const { data } = await viewer.query("history.facets", { projectId: people.projectId, ...times });
      return (data as { models: string[] }).models;
    };
    // Rollups of days answer: all of a day that the time touches.
    expect(await facets(window)).toEqual(["m1", "m2", "m3", "m4"]);
    expect(await facets({ to: "2026-11-21T00:00:00.000Z" })).toEqual([]);
    expect(await facets({ from: "2026-11-22T00:00:00.000Z" })).toEqual([]);
    const wrong = await viewer.query("history.facets", { projectId: people.projectId, ...window, to: window.from });
    expect(wrong.error?.message).toBe("to: must be later than from");
  });

  it("names the field that is wrong", async () => {
    await begin();
    const wrong: readonly (readonly [input: object, message: string])[] = [
      [{ limit: 101 }, "limit: must be 100 or less"],
      [{ known: "0123456789a" }, "known: must be the last 12 characters of ids"],
      [{ known: "0".repeat(1212) }, "known: must be of 100 ids at most"],
      [{ cursor: "x" }, "cursor: must be an id"],
      [{ filter: { text: " " } }, "filter.text: must not be empty"],
      [{ filter: { tag: { key: "", value: "a" } } }, "filter.tag.key: must not be empty"],
      [{ filter: { metric: { name: "a", compare: "!", value: 1 } } }, "filter.metric.compare: must be >, < or ="],
      [{ filter: { from: "yesterday" } }, "filter.from: must be a time such as 2027-01-31T00:00:00.000Z"],
      [{ filter: { from: "2026-11-21T10:00:00Z", to: "2026-11-21T10:00:00Z" } }, "filter.to: must be later than from"],
    ];
    for (const [input, message] of wrong) {
      const { error } = await viewer.query("history.list", { projectId: people.projectId, ...input });
      expect([error?.data.code, error?.message]).toEqual(["BAD_REQUEST", message]);
    }
    const sorted = { projectId: people.projectId, filter: { text: "a" }, order: "cost" };
    const { status, error } = await viewer.query("history.sorted", sorted);
    expect([status, error?.data.fields]).toEqual([400, { order: "what is searched for comes the newest first" }]);
  });

  it("shows a request with its cost, its feedback and what it continues", async () => {
    await begin();
    const before = await write(1, ["first", "one"]);
    const row = await write(2, ["second", "two"], {
      model: "gpt-6-astra",
      servedModel: "gpt-6-astra",
      previousId: before.id,
      inputTokens: 10,
      cacheReadTokens: 5,
      outputTokens: 20,
      costNanos: 1_105_000,
    });
    await say(row, { tags: { reason: "good" } });
    const { data } = await viewer.query("history.request", { projectId: people.projectId, id: row.id });
    expect(data).toMatchObject({
      facts: { id: row.id, promptTokens: 15, previousId: before.id },
      // 10, 1 and 50 USD per million tokens.
      cost: {
        isLongPrompt: false,
        lines: [
          { kind: "input", tokens: 10, pricePicos: 10_000_000, costPicos: "100000000" },
          { kind: "cacheRead", tokens: 5, pricePicos: 1_000_000, costPicos: "5000000" },
          { kind: "output", tokens: 20, pricePicos: 50_000_000, costPicos: "1000000000" },
        ],
      },
      feedback: [{ name: "quality", value: 1, tags: { reason: "good" }, keyId: "abcdefghijkl", optimize: "max" }],
      earlier: [{ id: before.id, model: "some-model", status: "completed" }],
      isRedacted: false,
      content: {
        system: [],
        tools: [],
        messageCount: 1,
        messages: [
          { index: 0, role: "user", blocks: [{ kind: "text", text: { part: 0, start: "second", length: 6 } }] },
        ],
        answer: [{ kind: "text", text: { part: 1, start: "two", length: 3 } }],
      },
    });
    expect(JSON.stringify(data)).not.toContain(people.projectId);
  });

  it("writes the cost of a routed request out by the prices of the model that answered, and says why that one did", async () => {
    await begin();
    const row = await write(1, undefined, {
      model: "gpt-6-astra",
      servedModel: "claude-sonnet-5-5",
      deviation: "routed",
      family: "tag:a",
      upstream: "sandbox",
      upstreamModel: "sandbox",
      inputTokens: 10,
      outputTokens: 20,
      costNanos: 220_000,
      decision: {
        mode: "on",
        family: "tag:a",
        policy: "baht-g/19",
        version: 4,
        arms: ["gpt-6-astra", "claude-sonnet-5-5"],
        eligible: [1, 1],
        worths: [0.5, 0.7],
        doubts: [0.1, 0.1],
        base: 0,
        best: 1,
        arm: 1,
        choice: "best",
        controlChance: 0.02,
        exploreChance: 0,
        exploreWidth: 1,
        switchCost: 0,
        hasRoom: true,
        seed: 1,
      },
    });
    const { data } = await viewer.query("history.request", { projectId: people.projectId, id: row.id });
    // 2 and 10 USD per million tokens.
    expect(data).toMatchObject({
      cost: { lines: [{ pricePicos: 2_000_000 }, { pricePicos: 10_000_000 }] },
      decision: {
        base: "gpt-6-astra",
        best: "claude-sonnet-5-5",
        chosen: "claude-sonnet-5-5",
        choice: "best",
        kept: null,
        arms: [
          { model: "gpt-6-astra", worth: 0.5, chance: expect.closeTo(0.02) },
          { model: "claude-sonnet-5-5", worth: 0.7, chance: expect.closeTo(0.98) },
        ],
      },
    });
    expect((data as { facts: object }).facts).not.toHaveProperty("decision");
    const plain = await write(2, undefined, {});
    const { data: undecided } = await viewer.query("history.request", { projectId: people.projectId, id: plain.id });
    expect(undecided).toMatchObject({ decision: null });
  });

  it("lists the attempts of a request, in the order in which they were made", async () => {
    await begin();
    const failed = {
      upstream: "east",
      outcome: "failed",
      isWinner: false,
      firstEventMs: null,
      inputTokens: null,
      costNanos: null,
      errorReason: "upstream_overloaded",
      errorMessage: "busy",
      errorUpstreamStatus: 529,
      losses: ["top_k"],
    };
    const served = { role: "failover", startedAfterMs: 120.5, propensity: 0.5, usageEstimated: true };
    const row = await write(1, undefined, { usageEstimated: true, cacheSavedNanos: -30 }, [failed, served]);
    const other = await write(2, undefined, {}, [{ upstream: "other" }]);
    const read = async (id: string) =>
      (await viewer.query("history.request", { projectId: people.projectId, id })).data as { attempts: object[] };
    const { id: _, ...expected } = attemptRow();
    expect(await read(row.id)).toMatchObject({ facts: { usageEstimated: true, cacheSavedNanos: -30 } });
    expect((await read(row.id)).attempts).toEqual([
      { ...expected, ...failed, answerId: null },
      { ...expected, ...served, position: 1, answerId: row.id },
    ]);
    expect((await read(other.id)).attempts).toEqual([{ ...expected, upstream: "other", answerId: other.id }]);
    expect((await list({})).rows.map((listed) => Reflect.get(listed, "usageEstimated"))).toEqual([false, true]);
  });

  it("gives a long text piece by piece, and the JSON of both sides", async () => {
    await begin();
    const { id } = await write(1, [LONG, PIXEL]);
    const at = { projectId: people.projectId, id };
    const piece = await viewer.query("history.part", { ...at, part: 0, from: LONG.length - 4, length: 10 });
    expect(piece.data).toEqual({ text: "End.", length: LONG.length });
    expect((await viewer.query("history.part", { ...at, part: 2 })).error?.data.code).toBe("NOT_FOUND");
    const raw = await viewer.query("history.raw", { ...at, side: "answer" });
    const { text, length } = raw.data as { text: string; length: number };
    expect([JSON.parse(text), length]).toEqual([{ content: [{ text: { text: PIXEL } }] }, text.length]);
  });

  it("has nothing to show of a request of another project", async () => {
    await begin();
    const { id } = await write(1, ["secret", "secret"]);
    const { projectId } = people;
    await begin();
    for (const path of ["history.request", "history.messages", "history.part", "history.raw"]) {
      const input = { projectId: people.projectId, id, from: 0, to: 1, part: 0, side: "request" };
      const { error } = await viewer.query(path, input);
      expect([path, error?.data.code]).toEqual([path, "NOT_FOUND"]);
    }
    expect(idsOf(await list({ text: id }))).toEqual([]);
    expect(people.projectId).not.toBe(projectId);
  });
});
