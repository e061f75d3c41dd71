import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  type FeedbackEntrySchema,
  FeedbackEventSchema,
  type Optimize,
} from "../../gen/attune/feedback/v1/feedback_pb.ts";
import type { FeedbackPorts, InferenceFacts, NewFeedbackEntry } from "../../src/feedback/ports.ts";
import { createFeedbackCapacity, createFeedbackService, type FeedbackOutcome } from "../../src/feedback/service.ts";
import { TokenValues } from "../../src/feedback/token-values.ts";
import { ValueKinds } from "../../src/feedback/value-kinds.ts";
import { writeAnswerId } from "../../src/hub/answer-ids.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { DatabaseTimeoutError } from "../../src/lib/database-state.ts";
import { isUuid } from "../../src/lib/ids.ts";

const PRINCIPAL = { keyId: "key", projectId: "mine" };
const MINE = { projectId: "mine", model: "m", workload: "w" };
const STORED = "0190a5a0-7d6e-7000-8000-00000000000a";
const RECENT = "0190a5a0-7d6e-7000-8000-00000000000b";
const FOREIGN = "0190a5a0-7d6e-7000-8000-00000000000c";
const UNSURE = "0190a5a0-7d6e-7000-8000-00000000000e";
const UNKNOWN = "0190a5a0-7d6e-7000-8000-00000000000d";

type Event = MessageInitShape<typeof FeedbackEventSchema>;

/** A service on a scripted database. */
function setUp() {
  const database = {
    lookupFails: false,
    insertFails: false,
    lookups: [] as string[][],
    inserts: [] as NewFeedbackEntry[][],
  };
  const logged: string[] = [];
  const counted: (ErrorReason | undefined)[][] = [];
  const ports: FeedbackPorts = {
    tokenValues: new TokenValues(50, async () => []),
    kinds: new ValueKinds(async () => []),
    capacity: createFeedbackCapacity(100_000, 1),
    inferences: {
      findRecent: (id) => (id === RECENT ? MINE : undefined),
      async findStored(ids) {
        database.lookups.push([...ids]);
        if (database.lookupFails) throw new DatabaseTimeoutError("connection refused");
        const rows: (readonly [string, InferenceFacts | "unsure"])[] = [
          [STORED, MINE],
          [FOREIGN, { ...MINE, projectId: "theirs" }],
          [UNSURE, "unsure"],
        ];
        return new Map(rows.filter(([id]) => ids.includes(id)));
      },
      async findCandidates(answers) {
        const ids = answers.map(writeAnswerId);
        database.lookups.push(ids);
        const rows = [[`${STORED}.1`, "here"] as const, [`${RECENT}.1`, "unsure"] as const];
        return new Map(rows.filter(([id]) => ids.includes(id)));
      },
      async findSession(sessionId, projectId) {
        database.lookups.push([sessionId]);
        if (database.lookupFails) throw new DatabaseTimeoutError("connection refused");
        return sessionId.startsWith("run-") && projectId === "mine" ? STORED : undefined;
      },
    },
    feedback: {
      async insert(entries) {
        if (database.insertFails) throw new DatabaseTimeoutError("disk full");
        database.inserts.push([...entries]);
      },
      takeBack: async () => "gone",
    },
    log: { error: (_facts, message) => logged.push(message) },
    count: (refusals) => void counted.push([...refusals]),
  };
  const service = createFeedbackService(ports);
  const send = async (...events: Event[]) =>
    (
      await service.createFeedback(
        events.map((event) => create(FeedbackEventSchema, event)),
        PRINCIPAL,
      )
    ).map(namesOrFailure);
  return { database, logged, counted, send };
}

/** The names of the stored entries, or the reason and message of the failure. */
function namesOrFailure(outcome: FeedbackOutcome): readonly string[] | [ErrorReason, string] {
  if (outcome instanceof InferenceError) return [outcome.reason, outcome.message];
  return outcome.map(({ name }) => name);
}

const { INVALID_REQUEST, UNAVAILABLE } = ErrorReason;

const good: MessageInitShape<typeof FeedbackEntrySchema>[] = [
  { name: "good", value: { case: "boolean", value: true } },
];

const missing = (id: string): [ErrorReason, string] => [
  INVALID_REQUEST,
  `inference_id: the inference '${id}' does not exist`,
];

describe("createFeedback()", () => {
  it("bounds the events that a key, and the keys of a project, have on their way", async () => {
    const found = Promise.withResolvers<Map<string, InferenceFacts>>();
    const service = createFeedbackService({
      tokenValues: new TokenValues(50, async () => []),
      kinds: new ValueKinds(async () => []),
      capacity: createFeedbackCapacity(4, 0.75),
      inferences: {
        findRecent: () => undefined,
        findStored: () => found.promise,
        findCandidates: async () => new Map(),
        findSession: async () => undefined,
      },
      feedback: { insert: async () => {}, takeBack: async () => "gone" },
    });
    const event = create(FeedbackEventSchema, { inferenceId: UNKNOWN, feedback: good });
    const send = (keyId: string, count: number, projectId = "mine") =>
      service.createFeedback(Array(count).fill(event), { keyId, projectId });
    const first = send("a", 2);
    await expect(send("a", 1)).rejects.toMatchObject({
      reason: ErrorReason.RATE_LIMITED,
      message: "this key has too many feedback events on their way: wait for the answers to some of them",
      facts: { retryAfterMs: 1000 },
    });
    const second = send("b", 1);
    await expect(send("c", 1)).rejects.toMatchObject({
      reason: ErrorReason.RATE_LIMITED,
      message:
        "the keys of this project together have too many feedback events on their way: wait for the answers to some of them",
    });
    const other = send("d", 1, "theirs");
    found.resolve(new Map());
    await Promise.all([first, second, other]);
    expect(await send("c", 1)).toHaveLength(1);
  });

  it("stores what is said of a session once, on the inference that stands for it", async () => {
    const { database, send } = setUp();
    const event = (sessionId: string) => create(FeedbackEventSchema, { sessionId, feedback: good });
    const [first, second, unknown] = await send(event("run-7"), event("run-7"), event("other"));
    expect([first, second]).toEqual([["good"], ["good"]]);
    expect(database.inserts.flat()).toEqual(
      Array(2).fill(expect.objectContaining({ sessionId: "run-7", inferenceId: STORED, attempt: null })),
    );
    expect(database.lookups.filter(([id]) => id === "run-7")).toHaveLength(1);
    expect(unknown).toEqual([INVALID_REQUEST, "session_id: the session 'other' has no calls"]);
  });

  it("asks the database for a hundred sessions of a batch at most", async () => {
    const { database, send } = setUp();
    const events = Array.from({ length: 101 }, (_, at) =>
      create(FeedbackEventSchema, { sessionId: `run-${at}`, feedback: good }),
    );
    const outcomes = await send(...events);
    expect(outcomes.filter(([first]) => first !== "good")).toEqual([
      [INVALID_REQUEST, "session_id: names more than 100 sessions in one batch: send several"],
    ]);
    expect(database.lookups.flat().filter((id) => id.startsWith("run-"))).toHaveLength(100);
  });

  it.each([
    [{ inferenceId: STORED, sessionId: "run-7" }, "session_id: cannot be combined with the id of an inference"],
    [{}, "inference_id: is required: the id of the inference, or a session instead"],
    [{ sessionId: "x".repeat(257) }, "session_id: must have at most 256 characters"],
  ])("refuses %j", async (target, message) => {
    const [outcome] = await setUp().send({ ...target, feedback: good });
    expect(outcome).toEqual([INVALID_REQUEST, expect.stringContaining(message)]);
  });

  it("fails what is said of sessions alone where the database cannot say", async () => {
    const { database, send } = setUp();
    database.lookupFails = true;
    const [session, recent] = await send(
      { sessionId: "run-7", feedback: good },
      { inferenceId: RECENT, feedback: good },
    );
    expect(session).toEqual([UNAVAILABLE, expect.any(String)]);
    expect(recent).toEqual(["good"]);
  });

  it("stores one entry per flattened name, each with an id of its own", async () => {
    const { database } = setUp();
    const service = createFeedbackService({
      tokenValues: new TokenValues(50, async () => []),
      kinds: new ValueKinds(async () => []),
      capacity: createFeedbackCapacity(100_000, 1),
      inferences: {
        findRecent: () => MINE,
        findStored: async () => new Map(),
        findCandidates: async () => new Map(),
        findSession: async () => undefined,
      },
      feedback: {
        insert: async (entries) => {
          database.inserts.push([...entries]);
        },
        takeBack: async () => "gone",
      },
    });
    const event = create(FeedbackEventSchema, {
      inferenceId: RECENT.toUpperCase(),
      feedback: [
        { name: "note", value: { case: "text", value: "fine" } },
        { name: "speed", value: { case: "number", value: 0.5 }, reason: "slow" },
      ],
      tags: { app: "chat", reason: "general" },
      optimize: 2,
    });
    const outcomes = await service.createFeedback([event], PRINCIPAL);
    const [first, second] = database.inserts[0] ?? [];
    const common = {
      inferenceId: RECENT,
      attempt: null,
      rater: null,
      sessionId: null,
      projectId: "mine",
      model: "m",
      workload: "w",
      keyId: "key",
      optimize: "min",
      createdAt: expect.any(Date),
    };
    expect(database.inserts).toEqual([
      [
        {
          ...common,
          id: first?.id,
          name: "note",
          content: { kind: "note", value: "fine" },
          tags: { app: "chat", reason: "general" },
        },
        {
          ...common,
          id: second?.id,
          name: "speed",
          content: { kind: "float", value: 0.5 },
          tags: { app: "chat", reason: "slow" },
        },
      ],
    ]);
    expect(isUuid(first?.id ?? "") && isUuid(second?.id ?? "") && first?.id !== second?.id).toBe(true);
    expect(outcomes).toMatchObject([
      [
        { name: "note", id: first?.id },
        { name: "speed", id: second?.id },
      ],
    ]);
  });

  it("has the events of a batch counted, each stored or with its reason", async () => {
    const { counted, send } = setUp();
    await send({ inferenceId: STORED, feedback: good }, { inferenceId: UNKNOWN, feedback: good });
    expect(counted).toEqual([[undefined, missing(UNKNOWN)[0]]]);
  });

  it("answers in order, and lets no bad event touch the others", async () => {
    const { database, send } = setUp();
    const results = await send(
      { inferenceId: UNKNOWN, feedback: good },
      { inferenceId: STORED, feedback: good },
      { inferenceId: "no-uuid", feedback: good },
      { inferenceId: FOREIGN, feedback: good },
      { inferenceId: STORED, feedback: [{ name: "x" }] },
      { inferenceId: STORED, feedback: [] },
      { inferenceId: RECENT, feedback: good },
      { inferenceId: STORED },
      { inferenceId: "", feedback: good },
      { inferenceId: UNSURE, feedback: good },
      { inferenceId: STORED, feedback: good, optimize: 7 as Optimize },
      { inferenceId: STORED, feedback: good, tags: { tag: "\0" } },
    );
    expect(results).toEqual([
      missing(UNKNOWN),
      ["good"],
      missing("no-uuid"),
      missing(FOREIGN),
      [INVALID_REQUEST, "feedback.x: is not set: give a boolean, a number, a string, a group or null"],
      [],
      ["good"],
      [],
      [INVALID_REQUEST, "inference_id: is required: the id of the inference, or a session instead"],
      [UNAVAILABLE, expect.stringContaining("the inference cannot be looked up at the moment")],
      [INVALID_REQUEST, "optimize: must be OPTIMIZE_MAX or OPTIMIZE_MIN, not 7"],
      [INVALID_REQUEST, "tags.tag: must not hold the character U+0000"],
    ]);
    expect(database.inserts.map((entries) => entries.map(({ inferenceId }) => inferenceId))).toEqual([
      [STORED, RECENT],
    ]);
  });

  it("asks the database once for a whole batch, and only for what is not at hand", async () => {
    const { database, send } = setUp();
    await send(
      { inferenceId: STORED, feedback: good },
      { inferenceId: RECENT, feedback: good },
      { inferenceId: STORED, feedback: good },
      { inferenceId: UNKNOWN, feedback: good },
    );
    expect(database.lookups).toEqual([[STORED, UNKNOWN]]);
    await send({ inferenceId: RECENT, feedback: good }, { inferenceId: "bad", feedback: good });
    expect(database.lookups).toHaveLength(1);
  });

  it("takes feedback on a candidate that was not given, and refuses what is none", async () => {
    const { database, send } = setUp();
    const ids = [`${STORED}.1`, `${STORED}.2`, `${RECENT}.1`, `${FOREIGN}.1`, `${UNKNOWN}.1`, `${UNSURE}.1`, STORED];
    const unsure = [UNAVAILABLE, expect.stringContaining("the inference cannot be looked up at the moment")];
    expect(await send(...ids.map((inferenceId) => ({ inferenceId, feedback: good })))).toEqual([
      ["good"],
      missing(`${STORED}.2`),
      unsure,
      missing(`${FOREIGN}.1`),
      missing(`${UNKNOWN}.1`),
      unsure,
      ["good"],
    ]);
    // Of inferences that nobody knows, and those of other projects, candidates are not looked for.
    expect(database.lookups[1]).toEqual([`${STORED}.1`, `${STORED}.2`, `${RECENT}.1`]);
    expect(database.inserts.flat().map(({ inferenceId, attempt }) => [inferenceId, attempt])).toEqual([
      [STORED, 1],
      [STORED, null],
    ]);
  });

  it("answers an empty batch with no results, and leaves the database alone", async () => {
    const { database, send } = setUp();
    expect(await send()).toEqual([]);
    expect([database.lookups, database.inserts]).toEqual([[], []]);
  });

  const unavailable: [ErrorReason, string] = [
    UNAVAILABLE,
    "the feedback cannot be stored at the moment: send it again shortly",
  ];

  it("fails as UNAVAILABLE what it cannot look up, and stores the rest", async () => {
    const { database, logged, send } = setUp();
    database.lookupFails = true;
    const results = await send(
      { inferenceId: STORED, feedback: good },
      { inferenceId: RECENT, feedback: good },
      { inferenceId: "bad", feedback: good },
    );
    expect(results).toEqual([unavailable, ["good"], missing("bad")]);
    expect(logged).toEqual(["cannot look up the inferences that feedback is on"]);
  });

  it("fails as UNAVAILABLE all that it cannot store, and tells what was wrong anyway", async () => {
    const { database, logged, send } = setUp();
    database.insertFails = true;
    const results = await send({ inferenceId: STORED, feedback: good }, { inferenceId: UNKNOWN, feedback: good });
    expect(results).toEqual([unavailable, missing(UNKNOWN)]);
    expect(logged).toEqual(["cannot store feedback"]);
  });

  it("logs one of many failures that are alike", async () => {
    const { database, logged, send } = setUp();
    database.insertFails = true;
    for (let time = 0; time < 20; time++) await send({ inferenceId: STORED, feedback: good });
    expect(logged).toEqual(["cannot store feedback"]);
  });
});
