import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../../src/hub/decision-record.ts";
import { newId } from "../../../src/lib/ids.ts";
import { readSessionChoice } from "../../../src/store/read/read-session-choice.ts";
import { firstIdAt } from "../../../src/store/types/period.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { DECISION } from "../../support/inference-record.ts";
import { inferenceRow } from "../../support/rows.ts";

describe.each(ENGINES)("readSessionChoice() on %s", (engine) => {
  const databases = useDatabases(engine);

  /** Writes calls of a session, one after another, with what was decided of each. */
  async function put(sessionId: string, decisions: readonly (Partial<DecisionRecord> | null)[], changes = {}) {
    const rows = decisions.map((decision) =>
      inferenceRow({
        model: "base",
        sessionId,
        sessionSource: "metadata",
        keyId: "k",
        decision: decision && { ...DECISION, arms: ["base", "good"], mode: "on", arm: 1, ...decision },
        ...changes,
      }),
    );
    const inferences = rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    await writeBatch(databases.store, { inferences, feedback: [] });
    return { projectId: rows[0]?.projectId ?? "", keyId: "k", source: "metadata", sessionId, model: "base" };
  }

  it("returns what was decided in a session last", async () => {
    const asked = await put(newId(), [{ arm: 0 }, { arm: 1 }]);
    expect(await readSessionChoice(databases.store, asked)).toBe("good");
    for (const other of [{ keyId: "l" }, { source: "session-id" }, { model: "good" }, { sessionId: "s" }]) {
      expect(await readSessionChoice(databases.store, { ...asked, ...other })).toBeUndefined();
    }
  });

  it("passes over calls that were answered otherwise than the session is", async () => {
    const asked = await put(newId(), [
      { arm: 1 },
      { arm: 0, kept: "unfit" },
      { arm: 0, kept: "conversation" },
      { arm: 0, kept: "unread" },
      { arm: 0, mode: "observe" },
      null,
    ]);
    expect(await readSessionChoice(databases.store, asked)).toBe("good");
  });

  it("returns nothing of a session that has ended", async () => {
    const id = firstIdAt(Date.now() - 2 * 3_600_000 - 1000);
    const asked = await put(newId(), [{ arm: 1 }], { id });
    expect(await readSessionChoice(databases.store, asked)).toBeUndefined();
  });
});
