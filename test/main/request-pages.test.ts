import { describe, expect, it } from "vitest";
import { ContentReader } from "../../src/dashboard/features/history/content-reader.ts";
import { createRequestPages } from "../../src/main/request-pages.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { idAt, inferenceRow } from "../support/rows.ts";

const ROWS = 230;

describe.each(ENGINES)("createRequestPages() on %s", (engine) => {
  const databases = useDatabases(engine);

  it.each(["csv", "jsonl", "records"])("divides %s into pages that are the whole file together", async (format) => {
    const { store } = databases;
    const contents = new ContentReader(() => {});
    const projectId = DEFAULT_PROJECT.id;
    const rows = Array.from({ length: ROWS }, (_, at) =>
      inferenceRow({ id: idAt("2026-11-01T00:00:00Z", at + 1), projectId, model: "m" }),
    );
    const inferences = rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    await writeBatch(store, { inferences, feedback: [] });
    const query = { projectId, format, from: new Date("2026-11-01T00:00:00Z"), to: new Date("2026-11-02T00:00:00Z") };
    const whole = await createRequestPages(contents)(store, query);
    expect([whole.requests, whole.next]).toEqual([ROWS, ""]);
    const bytes = Buffer.byteLength(whole.items.join(""));
    const readSmall = createRequestPages(contents, Math.ceil(bytes / 4));
    const texts: string[] = [];
    let [requests, pages] = [0, 0];
    for (let cursor: string | undefined; cursor !== ""; pages += 1) {
      const page = await readSmall(store, { ...query, cursor });
      texts.push(...page.items);
      requests += page.requests;
      cursor = page.next;
    }
    expect(texts.join("")).toBe(whole.items.join(""));
    expect([requests, pages > 2]).toEqual([ROWS, true]);
    const noted = await store
      .query()
      .selectFrom("AuditEntry")
      .select("sequence")
      .where("action", "=", "history.export")
      .execute();
    expect(noted.length).toBeGreaterThanOrEqual(pages);
    await contents.close();
  });

  it("is the heading alone for a time without requests", async () => {
    const contents = new ContentReader(() => {});
    const query = { projectId: DEFAULT_PROJECT.id, format: "csv", to: new Date(0) };
    const { items, requests } = await createRequestPages(contents)(databases.store, query);
    expect([items.join("").split("\r\n").length, requests]).toEqual([2, 0]);
    await contents.close();
  });
});
