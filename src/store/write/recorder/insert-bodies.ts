import type { Column } from "../../database/columns.ts";
import type { Executor } from "../../database/executor.ts";
import type { InferenceBodyRow } from "../../entities/inference-body.ts";
import type { Engine } from "../../types/store.ts";
import { createMissingInserter } from "../insert-rows.ts";

const ONCE = "on conflict do nothing";
const COLUMNS = ["id", "project_id", "prompt", "answer", "request", "response"];
/** Bodies of one statement: there is a text for each number of them. */
const BODIES_PER_STATEMENT = 32;

/** Inserts bodies; those that are there already stay as they are. */
type BodyInserter = (execute: Executor, bodies: readonly InferenceBodyRow[]) => Promise<void>;

/** Creates what inserts bodies: on PostgreSQL as binary parameters, because JSON would need them written out in hex. */
export function createBodyInserter(engine: Engine, columns: readonly Column[]): BodyInserter {
  if (engine === "sqlite") {
    const insert = createMissingInserter(engine, { table: "inference_body", columns });
    return async (execute, bodies) => {
      await insert(execute, bodies);
    };
  }
  const texts = new Map<number, string>();
  return async (execute, bodies) => {
    for (let start = 0; start < bodies.length; start += BODIES_PER_STATEMENT) {
      const part = bodies.slice(start, start + BODIES_PER_STATEMENT);
      const text = texts.get(part.length) ?? statement(part.length);
      texts.set(part.length, text);
      await execute(
        text,
        part.flatMap(({ id, projectId, prompt, answer, request, response }) => [
          ...[id, projectId, prompt, answer],
          ...[request, response],
        ]),
      );
    }
  };
}

function statement(rows: number): string {
  const values = Array.from({ length: rows }, (_, row) => {
    const places = COLUMNS.map((_column, at) => `$${COLUMNS.length * row + at + 1}`);
    return `(${places.join(", ")})`;
  });
  return `insert into "inference_body" (${COLUMNS.join(", ")}) values ${values.join(", ")} ${ONCE}`;
}
