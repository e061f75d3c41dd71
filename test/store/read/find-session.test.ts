import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { findSession } from "../../../src/store/read/find-session.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { idAt, inferenceRow } from "../../support/rows.ts";

const HOUR = (hour: number): string => `2026-11-20T${String(hour).padStart(2, "0")}:00:00.000Z`;
const row = (sessionId: string, hour: number, number: number, changes = {}) =>
  inferenceRow({ id: idAt(HOUR(hour), number), sessionId, sessionSource: "x-session-id", ...changes });

const ROWS = [
  // Three of one pair, of which two were served by the other model; two of another pair.
  row("mixed", 10, 1, { servedModel: "some-model" }),
  row("mixed", 10, 2, { servedModel: "other-model" }),
  row("mixed", 10, 3, { servedModel: "other-model" }),
  row("mixed", 10, 4, { family: "second" }),
  row("mixed", 10, 5, { family: "second" }),
  // The id was used before, and its session ended with a pause.
  row("again", 3, 6, { family: "former" }),
  row("again", 4, 7, { family: "former" }),
  row("again", 8, 8),
  // Another key has a session of the same id.
  row("shared", 10, 9, { keyId: "bbbbbbbbbbbb" }),
  row("shared", 10, 10, { keyId: "bbbbbbbbbbbb" }),
  row("shared", 10, 11),
];

describe.each(ENGINES)("findSession() on %s", (engine) => {
  const databases = useDatabases(engine);

  beforeAll(() =>
    writeBatch(databases.store, {
      inferences: ROWS.map((each) => ({ row: each, attempts: [], request: undefined, response: undefined })),
      feedback: [],
    }),
  );

  const find = (sessionId: string, projectId: string = DEFAULT_PROJECT.id, keyId = "cccccccccccc") =>
    findSession(databases.store, { sessionId, projectId, keyId });

  it("takes the latest call that was served as most of the session was", async () => {
    expect(await find("mixed")).toBe(idAt(HOUR(10), 3));
  });

  it("takes the latest session of an id", async () => {
    expect(await find("again")).toBe(idAt(HOUR(8), 8));
    expect(await find("shared")).toBe(idAt(HOUR(10), 11));
  });

  it("takes a session of the key that asks, however late another key's is", async () => {
    expect(await find("shared", DEFAULT_PROJECT.id, "bbbbbbbbbbbb")).toBe(idAt(HOUR(10), 10));
  });

  it("finds nothing of other projects, and of no session", async () => {
    expect(await find("mixed", "019f0000-0000-7000-8000-00000000000f")).toBeUndefined();
    expect(await find("none")).toBeUndefined();
  });
});
