/** The thread that finds values for schemas: neither a hard schema nor its compilation holds up the requests. */
import { parentPort } from "node:worker_threads";
import { satisfySchema } from "./satisfy-schema.ts";
import type { SchemaAnswer, SchemaQuestion } from "./schema-thread.ts";
import { UnsatisfiableSchema } from "./unsatisfiable-schema.ts";

const port = parentPort;
if (port === null) throw new Error("schema-worker.ts runs in a thread");

function answer({ schemaJson, root }: SchemaQuestion): SchemaAnswer {
  try {
    return { text: satisfySchema(schemaJson, root) };
  } catch (thrown) {
    // Whatever else a validator throws is of the schema too, such as a stack that is used up.
    const isKnown = thrown instanceof UnsatisfiableSchema;
    return { problem: isKnown ? thrown.message : "the sandbox finds no value that the schema accepts" };
  }
}

port.on("message", (question: SchemaQuestion) => port.postMessage(answer(question)));
