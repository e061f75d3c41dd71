/** The thread that holds answers against schemas: neither a hard schema nor a long answer holds up the requests. */
import { answerTasks } from "../../lib/tasks/answer-tasks.ts";
import { type JsonQuestion, SchemaJudge } from "./schema-judge.ts";

const judge = new SchemaJudge();

answerTasks({ judge: (questions: readonly JsonQuestion[]) => judge.judge(questions) });
