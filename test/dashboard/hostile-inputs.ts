import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { dashboardRouter } from "../../src/dashboard/router.ts";
import type { Engine } from "../../src/store/types/store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { useDatabases } from "../support/database.ts";
import { feedbackRow, inferenceRow } from "../support/rows.ts";
import type { Answer, Caller } from "./caller.ts";
import { type DashboardService, startDashboardService } from "./harness.ts";
import { createPeople, type People } from "./people.ts";
import { PROCEDURE_INPUTS } from "./procedure-inputs.ts";

interface Procedure {
  readonly _def: { readonly type: "query" | "mutation"; readonly inputs: readonly z.ZodType[] };
}

/** A JSON schema, as far as the fields of an input are found by it. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly allOf?: readonly Shape[];
}

const PROCEDURES = dashboardRouter._def.procedures as unknown as Readonly<Record<string, Procedure>>;

/** Values that no field expects, or that are right in form and odd in meaning. */
const HOSTILE: readonly unknown[] = [
  ...["", "a\u0000b", "a\ud800", "\uffff", "\u202egnp.exe", "%", "\\", "'\";--"],
  ...["x".repeat(201), "\u0000".repeat(300), "NaN", "-1", "__proto__"],
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "ffffffff-ffff-7fff-bfff-ffffffffffff",
  "00000000-0000-7000-8000-000000000000",
  "01919191-9191-7191-9191-91919191919\u0000",
  ...["0000-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999999999Z", "2026-02-30T00:00:00Z"],
  ...["+275760-09-13T00:00:00.000Z", "2026-01-01T24:00:00Z", 0, -1, 0.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 53)],
  ...[null, true, [null], {}, { toString: null }],
];

/** The paths of all fields that an input may have. */
function fieldsOf(shape: Shape, path: readonly string[] = []): (readonly string[])[] {
  const own = Object.entries(shape.properties ?? {}).flatMap(([name, part]) => {
    const place = [...path, name];
    return [place, ...fieldsOf(part, place)];
  });
  return [...own, ...(shape.allOf ?? []).flatMap((part) => fieldsOf(part, path))];
}

/** Returns a copy of an object with something else at a path. */
function put(object: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const members = typeof object === "object" && object !== null ? object : {};
  return { ...members, [name]: put(Reflect.get(members, name), rest, value) };
}

/** All fields of all procedures. */
export const FIELDS = Object.entries(PROCEDURES).flatMap(([path, { _def }]) =>
  _def.inputs.flatMap((schema) =>
    fieldsOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Shape).map((field) => ({
      path,
      field,
    })),
  ),
);

/** Inputs that the table of who may call what does without, because nobody is let in with them. */
const MORE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "invitations.accept": { token: "token", password: "password" },
  "invitations.open": { token: "token" },
  "session.changePassword": { currentPassword: "not the password", newPassword: "some other words" },
  "session.signIn": { email: "nobody@example.com", password: "not a password" },
  "setup.createOwner": { token: "token", email: "nobody@example.com", password: "some other words" },
  "feedback.metric": { range: "24h", name: "helpful", kind: "float" },
  "history.list": { filter: { metric: { name: "a", compare: ">", value: 1 } } },
  "history.exportPlan": { filter: { tag: { key: "a", value: "b" } } },
};

/** Custom ranges of time are looked at as such. */
const CUSTOM = { range: "custom", from: "2026-01-01T00:00:00.000Z", to: "2026-01-02T00:00:00.000Z" };

/**
 * Puts what no field expects into each of them, one at a time: every call is answered, and none with a fault of the
 * service.
 */
export function putHostileInputs(engine: Engine): void {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let people: People;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    people = await createPeople(service);
    const { projectId } = people;
    const inferences = [inferenceRow({ projectId }), inferenceRow({ projectId, workload: "" })];
    const feedback = inferences.map(({ id }) => feedbackRow({ projectId, inferenceId: id, tags: { a: "b" } }));
    await writeBatch(service.store, {
      inferences: inferences.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: [...feedback, feedbackRow({ projectId, kind: "note", floatValue: null, textValue: "a note" })],
    });
  });

  afterAll(() => service.close());

  async function call(caller: Caller, path: string, input: unknown): Promise<Answer> {
    return PROCEDURES[path]?._def.type === "query" ? await caller.query(path, input) : await caller.mutate(path, input);
  }

  it.each(FIELDS)("$path: $field", async ({ path, field }) => {
    const input = PROCEDURE_INPUTS[path];
    const caller = people.byRole.owner;
    const ranged = field[0] === "from" || field[0] === "to" ? CUSTOM : {};
    const base = { projectId: people.projectId, ...input, ...MORE[path], ...ranged };
    const failed = await Promise.all(
      HOSTILE.map(async (value) => {
        const answer = await call(caller, path, put(base, field, value));
        const isFine = answer.status < 500 && (answer.status < 400 || answer.error?.data.code !== undefined);
        return isFine ? [] : [{ value, status: answer.status, message: answer.error?.message }];
      }),
    );
    expect(failed.flat()).toEqual([]);
  });
}
