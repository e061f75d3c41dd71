import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_PROJECT } from "../../../../src/store/entities/project.ts";
import { listInferences } from "../../../../src/store/read/queries/list-inferences.ts";
import { searchInferences } from "../../../../src/store/read/queries/search-inferences.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { idAt, inferenceRow } from "../../../support/rows.ts";

const TIME = "2026-11-20T10:00:00.000Z";
const OTHER_PROJECT = "019f0000-0000-7000-8000-00000000000f";
const id = (number: number): string => idAt(TIME, number);

const ROWS = [
  inferenceRow({ id: id(1), sessionId: "s1", endUserId: "jane", tags: { team: "search", env: "prod" } }),
  inferenceRow({ id: id(2), sessionId: "s1", endUserId: "john", status: "failed", tags: { team: "docs" } }),
  inferenceRow({ id: id(3), sessionId: "s2", endUserId: "jane", tags: { team: "search" } }),
  inferenceRow({ id: id(4) }),
  inferenceRow({ id: id(5), sessionId: id(4), sessionSource: "conversation" }),
  inferenceRow({ id: id(6), projectId: OTHER_PROJECT, sessionId: "s1", endUserId: "jane", tags: { team: "search" } }),
];

describe.each(ENGINES)("facts of calls on %s", (engine) => {
  const databases = useDatabases(engine);

  beforeAll(() =>
    writeBatch(databases.store, {
      inferences: ROWS.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: [],
    }),
  );

  const list = async (query: Partial<Parameters<typeof listInferences>[1]>) => {
    const { rows, next } = await listInferences(databases.store, {
      projectId: DEFAULT_PROJECT.id,
      limit: 10,
      ...query,
    });
    return { numbers: rows.map((row) => Number(row.id.slice(-12))), next };
  };

  it.each([
    ["a session", { sessionId: "s1" }, [2, 1]],
    ["a chain of responses, with its first", { sessionId: id(4) }, [5, 4]],
    ["an end user", { endUserId: "jane" }, [3, 1]],
    ["a tag", { callTag: { name: "team", value: "search" } }, [3, 1]],
    ["several", { sessionId: "s1", endUserId: "jane", callTag: { name: "env", value: "prod" } }, [1]],
    ["none that fits", { sessionId: "s2", endUserId: "john" }, []],
  ])("finds the calls of %s, of one project", async (_name, facts, numbers) => {
    expect(await list({ facts })).toEqual({ numbers, next: undefined });
  });

  it("narrows them by other columns, times and pages", async () => {
    expect(await list({ facts: { sessionId: "s1" }, filter: { status: "failed" } })).toMatchObject({ numbers: [2] });
    expect(await list({ facts: { sessionId: "s1" }, to: new Date(TIME) })).toMatchObject({ numbers: [] });
    const first = await list({ facts: { sessionId: "s1" }, limit: 1 });
    expect(first).toEqual({ numbers: [2], next: id(2) });
    expect(await list({ facts: { sessionId: "s1" }, limit: 1, cursor: first.next })).toMatchObject({ numbers: [1] });
    const chain = await list({ facts: { sessionId: id(4) }, limit: 1 });
    expect(await list({ facts: { sessionId: id(4) }, limit: 1, cursor: chain.next })).toMatchObject({ numbers: [4] });
  });

  it("reads them back as they were", async () => {
    const { rows } = await listInferences(databases.store, {
      projectId: DEFAULT_PROJECT.id,
      limit: 1,
      facts: { sessionId: "s1", endUserId: "jane" },
    });
    expect(rows[0]).toMatchObject({ sessionId: "s1", endUserId: "jane", tags: { team: "search", env: "prod" } });
  });

  it("finds a text in them", async () => {
    const search = { projectId: DEFAULT_PROJECT.id, limit: 10, text: "JoHn", budgetMs: 60_000 };
    const { rows } = await searchInferences(databases.store, search);
    expect(rows.map((row) => row.id)).toEqual([id(2)]);
  });
});
