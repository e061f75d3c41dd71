import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/database/open-store.ts";
import { connectOrm } from "../../../src/store/database/orm.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { goBack } from "../../support/go-back.ts";
import { DECISION } from "../../support/inference-record.ts";
import { inferenceRow } from "../../support/rows.ts";

describe.each(ENGINES)("the migration to models that are chosen on %s", (engine) => {
  const databases = useDatabases(engine);

  it("keeps inferences of before, of which nothing was decided", async () => {
    const url = await databases.newMigratedUrl();
    const old = await openStore(url);
    const row = inferenceRow({ servedModel: "other-model", family: DECISION.family, decision: DECISION });
    const write = { row, attempts: [], request: undefined, response: undefined };
    await writeBatch(old, { inferences: [write], feedback: [] });
    await old.close();
    const orm = await connectOrm(url);
    await goBack(orm, engine, "_models_chosen");
    await orm.close(true);

    const store = await openStore(url);
    expect(await store.query().selectFrom("Inference").selectAll().execute()).toEqual([
      { ...row, servedModel: "", family: "", decision: null },
    ]);
    await store.close();
  });
});
