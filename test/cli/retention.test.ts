import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { feedbackRow, idAt } from "../support/rows.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

const DAY_MS = 86_400_000;
let folder: CliFolder;

beforeAll(async () => {
  folder = createCliFolder();
  const store = await openStore(`sqlite:${join(folder.path, "data", "attune.db")}`);
  const ages = [1, 2, 20, 20.1, 20.2];
  const feedback = ages.map((age, index) =>
    feedbackRow({ id: idAt(new Date(Date.now() - age * DAY_MS).toISOString(), index) }),
  );
  await writeBatch(store, { inferences: [], feedback });
  await store.close();
  writeFileSync(join(folder.path, "attune.yaml"), "retention: { feedbackDays: 10 }\n");
});

afterAll(() => folder.remove());

describe("attune retention", () => {
  it("shows what waits, deletes it when it is confirmed, and then nothing waits", async () => {
    const shown = await folder.run(["retention"]);
    expect([shown.status, shown.stderr]).toEqual([0, ""]);
    expect(shown.stdout).toMatch(/^current time of retention: {2}20\S+Z\nnewest record of the data: {2}20\S+Z\n/);
    expect(shown.stdout).toMatch(/^feedback entries {2}10 days +20\S+Z {2}3 +60 % +NEEDS CONFIRMATION$/m);
    expect(shown.stdout).toMatch(/^hourly figures +100 days +20\S+Z +0 +0 % +automatic$/m);
    const confirmed = await folder.run(["retention", "--yes"]);
    expect([confirmed.status, confirmed.stderr]).toEqual([0, ""]);
    expect(confirmed.stdout).toContain("deleted 3 rows of feedback\n");
    const after = await folder.run(["retention"]);
    expect(after.stdout).toMatch(/^feedback entries {2}10 days +20\S+Z {2}0 +0 % +automatic$/m);
    expect(after.stdout).not.toContain("NEEDS CONFIRMATION");
  });
});
