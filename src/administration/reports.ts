import { readUsageRequest, usageToMessage } from "../hub/usage-message.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers } from "./handler.ts";

/** The operations that tell of calls. */
export const reportHandlers: Handlers<"getUsage"> = {
  async getUsage(work, request) {
    const { id: projectId } = await findOwnProject(work, request.project);
    const query = readUsageRequest(request);
    return usageToMessage(await work.readUsage({ projectId, ...query }), query.groupBy, work.prefix);
  },
};
