import { create, toBinary } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, it } from "vitest";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { compressBody } from "../../../src/lib/compress-body.ts";
import { newId } from "../../../src/lib/ids.ts";
import type { BodyPolicy } from "../../../src/store/bodies/body-policy.ts";
import { readRows } from "../../../src/store/database/executor.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { createResponseCache } from "../../../src/store/read/response-cache.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { idAt, inferenceRow } from "../../support/rows.ts";

describe.each(ENGINES)("createResponseCache() on %s", (engine) => {
  const databases = useDatabases(engine);
  let projectId: string;
  beforeEach(() => {
    projectId = newId();
  });

  /** Keeps an answer whose text is its id; large enough to be compressed. */
  async function keep(at: string, changes: Partial<InferenceRow> = {}, isWhole = true): Promise<string> {
    const id = idAt(at, 1);
    const text = id.repeat(100);
    const output = create(GenerateResponseSchema, { id, content: [{ kind: { case: "text", value: { text } } }] });
    const row = inferenceRow({ id, projectId, coalescingKey: "k", ...changes });
    const bytes = await compressBody(toBinary(GenerateResponseSchema, output));
    const bodies = isWhole
      ? { request: new Uint8Array(), response: bytes }
      : { request: undefined, response: undefined };
    await writeBatch(databases.store, { inferences: [{ row, attempts: [], ...bodies }], feedback: [] });
    return id;
  }
  const find = (query: object = {}, bodies: BodyPolicy = "full") => {
    const since = { sinceMs: Date.parse("2026-11-21T01:00:00Z") };
    return createResponseCache(databases.store, () => bodies).find({ key: "k", projectId, ...since, ...query });
  };

  it("finds the latest answer of a key that is young enough", async () => {
    await keep("2026-11-21T00:59:59Z");
    expect(await find()).toBeUndefined();
    const first = await keep("2026-11-21T01:00:00Z");
    expect((await find())?.id).toBe(first);
    const last = await keep("2026-11-21T02:00:00Z");
    expect(await find()).toMatchObject({ id: last, content: [{ kind: { value: { text: last.repeat(100) } } }] });
  });

  it("finds none of another key or project, none that was deleted, and none without its body", async () => {
    await keep("2026-11-21T02:00:00Z", { coalescingKey: "other" });
    await keep("2026-11-21T02:00:01Z", { coalescingKey: null });
    await keep("2026-11-21T02:00:02Z", { projectId: newId() });
    await keep("2026-11-21T02:00:03Z", { deletedAt: new Date() });
    await keep("2026-11-21T02:00:04Z", {}, false);
    expect(await find()).toBeUndefined();
  });

  it.each(["redacted", "none"] as const)("finds none in a project whose texts are %s", async (bodies) => {
    await keep("2026-11-21T02:00:00Z");
    expect(await find({}, bodies)).toBeUndefined();
  });

  it("looks in an index that has few rows", async () => {
    const sql = "select id from inference where coalescing_key = 'k' and id >= ? order by id desc limit 1";
    const explain = engine === "sqlite" ? "explain query plan" : "explain";
    if (engine === "postgres") await readRows(databases.store, "set enable_seqscan = off", []);
    const plan = JSON.stringify(await readRows(databases.store, `${explain} ${sql}`, [newId()]));
    expect(plan).toMatch(/coalescing_key/);
    const listed =
      engine === "sqlite"
        ? "select sql as text from sqlite_master where type = 'index' and tbl_name = 'inference'"
        : "select indexdef as text from pg_indexes where tablename = 'inference'";
    const indexes = await readRows<{ text: string | null }>(databases.store, listed, []);
    expect(indexes.some(({ text }) => /coalescing_key.*where.*coalescing_key.* is not null/i.test(text ?? ""))).toBe(
      true,
    );
  });
});
