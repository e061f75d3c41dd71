import { timestampDate } from "@bufbuild/protobuf/wkt";
import { InferenceError } from "../hub/error.ts";
import { removeFeedback } from "../store/administration/remove-feedback.ts";
import { isPerson } from "./actor.ts";
import { notFound } from "./checks.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers } from "./handlers.ts";

/** The operation that removes feedback, whoever sent it. */
export const feedbackHandlers: Handlers<"removeFeedback"> = {
  async removeFeedback(work, { project, id, raterOf, keyId, endUserId, name, since, until, dryRun }) {
    const { id: projectId } = await findOwnProject(work, project);
    if ([id, raterOf, keyId, endUserId, name].every((each) => each === "")) {
      const problem = "is required, or rater_of, key_id, end_user_id or name: say which feedback goes";
      throw InferenceError.invalid("id", problem);
    }
    const removed = await removeFeedback(
      work.store,
      {
        projectId,
        ...(id !== "" && { id: id.toLowerCase() }),
        ...(raterOf !== "" && { raterOf: raterOf.toLowerCase() }),
        ...(keyId !== "" && { keyId }),
        ...(endUserId !== "" && { endUserId }),
        ...(name !== "" && { name }),
        ...(since !== undefined && { since: timestampDate(since) }),
        ...(until !== undefined && { until: timestampDate(until) }),
      },
      dryRun,
    );
    if (removed === undefined) throw notFound("rater_of", "feedback");
    if (isPerson(work.actor) && removed.removed === 0) throw notFound("id", "feedback");
    return removed;
  },
};
