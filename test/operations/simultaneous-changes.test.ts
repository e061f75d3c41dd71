import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, it } from "vitest";
import {
  SetQuotaRequestSchema,
  UpdateControlsRequestSchema,
  UpdateKeyRequestSchema,
  UpdateProjectRequestSchema,
} from "../../gen/attune/admin/v1/admin_pb.ts";
import { QuotaKind } from "../../gen/attune/quota/v1/quota_pb.ts";
import { ErrorReason, type InferenceError } from "../../src/hub/error.ts";
import { isBusy } from "../../src/lib/database-state.ts";
import { createOperations, type Operations } from "../../src/operations/create-operations.ts";
import { withStatementLimit } from "../../src/store/database/statement-limit.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ADMIN_SCOPES, type Administrator } from "../../src/vocabulary/administrator.ts";
import { ADMIN_PORTS } from "../support/admin-ports.ts";
import { ENGINES, useDatabases } from "../support/database.ts";

const caller = {
  actor: { kind: "admin-key", id: "abcdefghijkl", label: "ci", scopes: ADMIN_SCOPES } satisfies Administrator,
};

describe.each(ENGINES)("simultaneous changes on %s", (engine) => {
  const databases = useDatabases(engine);
  const project = DEFAULT_PROJECT.id;
  let operations: Operations;
  let keyId: string;
  beforeAll(async () => {
    const modelOf = (name: string) => (name.startsWith("own") ? undefined : name);
    const learning = () => ({ mode: "observe" }) as const;
    operations = createOperations({
      ...ADMIN_PORTS,
      store: databases.store,
      modelOf,
      prefix: "attune",
      learning,
    });
    keyId = (await createKey(databases.store, { name: "changed" })).info.publicId;
  });

  const update = (request: MessageInitShape<typeof UpdateProjectRequestSchema>) =>
    operations.updateProject(caller, create(UpdateProjectRequestSchema, { project, ...request }));
  const changes: readonly ((at: number) => Promise<unknown>)[] = [
    (at) => {
      const settings = { aliases: { [`own-${at}`]: "large" } };
      return update({ update: { settings }, updateMask: { paths: ["settings.aliases"] } });
    },
    (at) => {
      const settings = { disabledOptimizations: at % 2 === 0 ? ["hedging"] : [] };
      return update({ update: { settings }, updateMask: { paths: ["settings.disabled_optimizations"] } });
    },
    (at) => {
      const changed = { id: keyId, update: { name: `key ${at}` }, updateMask: { paths: ["name"] } };
      return operations.updateKey(caller, create(UpdateKeyRequestSchema, changed));
    },
    (at) => {
      const limits = { concurrentCalls: BigInt(at + 1) };
      return operations.setQuota(caller, create(SetQuotaRequestSchema, { kind: QuotaKind.PROJECT, project, limits }));
    },
    (at) => {
      const target = { case: "model", value: `large-${at % 3}` } as const;
      const said = { controls: { rewardPerPrice: at / 1000 }, updateMask: { paths: ["reward_per_price"] } };
      return operations.updateControls(caller, create(UpdateControlsRequestSchema, { project, target, ...said }));
    },
  ];

  it.each([10, 30])("has %i of each kind succeed, or says the truth", { timeout: 120_000 }, async (count) => {
    const made = Array.from({ length: count }, (_, at) => changes.map((change) => change(at))).flat();
    const ends = await Promise.allSettled(
      made.map((each) => each.catch((thrown) => expect(isBusy(thrown)).toBe(true))),
    );
    expect(ends.filter(({ status }) => status === "rejected")).toEqual([]);
  });

  it.runIf(engine === "postgres")("says that others change the same where they do so for too long", async () => {
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = databases.store.transaction(async (tables) => {
      await tables.selectFrom("Project").select("id").where("id", "=", project).forUpdate().execute();
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const refused: InferenceError = await withStatementLimit(200, () =>
      update({ update: { name: "other" }, updateMask: { paths: ["name"] } }),
    ).then(
      () => expect.fail("it was not refused"),
      (thrown) => thrown,
    );
    held.resolve();
    await holding;
    expect(refused).toMatchObject({ reason: ErrorReason.UNAVAILABLE, facts: { retryAfterMs: 1000 } });
    expect(refused.message).toBe(
      "others are changing the same at the moment, and nothing was changed: try again shortly",
    );
  });
});
