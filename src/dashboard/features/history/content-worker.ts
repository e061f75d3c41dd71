/** The thread that decodes large bodies: that would hold up the requests for as long as it takes. */
import { answerTasks } from "../../../lib/tasks/answer-tasks.ts";
import { CONTENT_TASKS } from "./content-tasks.ts";

answerTasks(CONTENT_TASKS);
