import { describe, expect, it } from "vitest";
import type { SentFeedback } from "../../../src/feedback/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createProjects } from "../../../src/store/dashboard/projects.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { buildPeriods } from "../../../src/store/write/rollups/build-periods.ts";
import { createTakeBack } from "../../../src/store/write/take-back-feedback.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../support/rows.ts";

const ROLLUPS = [
  ...(["FeedbackHour", "FeedbackDay", "FeedbackFactDay"] as const),
  ...(["FeedbackFactWeek", "FeedbackFactFourWeeks"] as const),
] as const;
const TOKEN = "address:a";

describe.each(ENGINES)("feedback that is taken back on %s", (engine) => {
  const databases = useDatabases(engine);
  const takeBack = (asked: SentFeedback) => createTakeBack(databases.store, { flush: async () => {} })(asked);

  const countsOf = async (projectId: string) => {
    const counts: Record<string, unknown> = {};
    for (const table of ROLLUPS) {
      const rows = await databases.store
        .query()
        .selectFrom(table)
        .selectAll()
        .where("projectId", "=", projectId)
        .execute();
      counts[table] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return counts;
  };
  const leftOf = async (projectId: string) => {
    const entries = databases.store
      .query()
      .selectFrom("FeedbackEntry")
      .select("name")
      .where("projectId", "=", projectId);
    return (await entries.orderBy("id").execute()).map(({ name }) => name);
  };

  /** Writes an answer of a project of its own, with what is said of it. */
  async function say(said: readonly Partial<FeedbackEntryRow>[], call: { endUserId?: string; id?: string } = {}) {
    const { store } = databases;
    const projectId = (await createProjects(store).create(newId()))?.id ?? "";
    const row = inferenceRow({ projectId, family: "f", tags: { team: "search" }, ...call });
    const feedback = said.map((entry) => feedbackRow({ projectId, inferenceId: row.id, ...entry }));
    await writeBatch(store, {
      inferences: [{ row, attempts: [], request: undefined, response: undefined }],
      feedback: [],
    });
    return { projectId, row, feedback, sender: { projectId, keyId: "abcdefghijkl", rater: "any" } as const };
  }

  const write = (feedback: readonly FeedbackEntryRow[]) => writeBatch(databases.store, { inferences: [], feedback });

  it("goes from figures, tags and entries, of days that were summed up too", async () => {
    const time = "2026-01-05T10:00:00Z";
    const { projectId, feedback, sender } = await say(
      [
        { id: idAt(time, 1), name: "stars", floatValue: 4, createdAt: new Date(time) },
        { id: idAt(time, 2), name: "stars", floatValue: 2, createdAt: new Date(time), tags: { page: "help" } },
      ],
      { id: idAt(time, 0) },
    );
    const [kept, mistaken] = feedback;
    if (kept === undefined || mistaken === undefined) throw new Error("nothing was said");
    await write([kept]);
    await buildPeriods(databases.store, new Date());
    const before = await countsOf(projectId);
    await write([mistaken]);
    expect(await takeBack({ ...sender, id: mistaken.id })).toBe("gone");
    const { FeedbackDay: days, ...after } = await countsOf(projectId);
    expect({ ...after, FeedbackDay: days }).toMatchObject({ ...before, FeedbackDay: expect.anything() });
    expect(await leftOf(projectId)).toEqual(["stars"]);
    const tags = databases.store.query().selectFrom("FeedbackTag").selectAll().where("projectId", "=", projectId);
    expect(await tags.execute()).toEqual([]);
    expect(await takeBack({ ...sender, id: kept.id })).toBe("gone");
    expect(Object.values(await countsOf(projectId))).toEqual(ROLLUPS.map(() => []));
  });

  it("is taken back twice, and is not written again", async () => {
    const { projectId, feedback, sender } = await say([{ name: "good" }]);
    await write(feedback);
    const asked = { ...sender, id: feedback[0]?.id ?? "" };
    expect(await takeBack(asked)).toBe("gone");
    await write(feedback);
    expect([await takeBack(asked), await leftOf(projectId)]).toEqual(["gone", []]);
    expect(Object.values(await countsOf(projectId))).toEqual(ROLLUPS.map(() => []));
  });

  it("has what was learned of it withdrawn", async () => {
    const { projectId, feedback, sender } = await say([{ name: "good" }, { name: "why", kind: "note" }]);
    await write(feedback);
    for (const { id } of feedback) await takeBack({ ...sender, id });
    const batches = await databases.store.query().selectFrom("LearningBatch").select("events").orderBy("id").execute();
    const events = batches.flatMap(({ events: own }) => (typeof own === "string" ? JSON.parse(own) : own));
    const told = events.filter((event: { projectId: string; kind: string }) => {
      return event.projectId === projectId && event.kind === "feedback";
    });
    expect(told).toMatchObject([
      { name: "good", value: 1 },
      { name: "good", value: 1, isTakenBack: true },
    ]);
  });

  it("is unknown to another key, project or rater, and late where it may be on its way", async () => {
    const { projectId, feedback, sender } = await say([{ name: "good", rater: TOKEN }]);
    await write(feedback);
    const asked = { ...sender, id: feedback[0]?.id ?? "" };
    expect(await takeBack({ ...asked, keyId: "other" })).toBe("unknown");
    expect(await takeBack({ ...asked, projectId: newId() })).toBe("unknown");
    expect(await takeBack({ ...asked, rater: "address:b" })).toBe("unknown");
    expect(await takeBack({ ...asked, id: idAt("2026-01-05T10:00:00Z", 9) })).toBe("unknown");
    expect(await takeBack({ ...asked, id: newId() })).toBe("late");
    expect(await takeBack({ ...asked, id: "ffffffff-ffff-7fff-8fff-ffffffffffff" })).toBe("unknown");
    expect(await leftOf(projectId)).toEqual(["good"]);
    expect(await takeBack({ ...asked, rater: TOKEN })).toBe("gone");
  });

  it("goes by name, on one answer, for the one who sent it", async () => {
    const own = [
      { name: "good", rater: TOKEN },
      { name: "good" },
      { name: "stars", rater: TOKEN },
      { name: "good", rater: "address:b" },
    ];
    const { projectId, row, feedback, sender } = await say(own);
    await write(feedback);
    const target = { inferenceId: row.id, attempt: null, sessionId: null };
    const isNamed = (name: string) => name === "good";
    await takeBack({ ...sender, rater: TOKEN, target: { ...target, sessionId: "run-7" }, isNamed });
    await takeBack({ ...sender, rater: TOKEN, target: { ...target, attempt: 1 }, isNamed });
    expect(await leftOf(projectId)).toHaveLength(4);
    await takeBack({ ...sender, rater: TOKEN, target, isNamed });
    expect(await leftOf(projectId)).toEqual(["good", "stars", "good"]);
    await takeBack({ ...sender, rater: null, target, isNamed });
    expect(await leftOf(projectId)).toEqual(["stars", "good"]);
  });

  it("is that of an end user from whichever address", async () => {
    const { projectId, row, feedback, sender } = await say([{ name: "good", rater: TOKEN }, { name: "good" }], {
      endUserId: "ada",
    });
    await write(feedback);
    const target = { inferenceId: row.id, attempt: null, sessionId: null };
    await takeBack({ ...sender, rater: "address:b", target });
    expect(await leftOf(projectId)).toEqual(["good"]);
  });
});
