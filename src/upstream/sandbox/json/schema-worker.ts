/** The thread that finds values for schemas: neither a hard schema nor its compilation holds up the requests. */
import { answerTasks } from "../../../lib/tasks/answer-tasks.ts";
import { satisfySchema } from "./satisfy-schema.ts";
import type { SchemaAnswer } from "./schema-thread.ts";
import { UnsatisfiableSchema } from "./unsatisfiable-schema.ts";

answerTasks({
  satisfy(schemaJson: string, root: "object" | "any"): SchemaAnswer {
    try {
      return { text: satisfySchema(schemaJson, root) };
    } catch (thrown) {
      // Anything else that a validator throws is of the schema too, such as a stack that is used up.
      const isKnown = thrown instanceof UnsatisfiableSchema;
      return { problem: isKnown ? thrown.message : "the sandbox finds no value that the schema accepts" };
    }
  },
});
