import { readUsageRequest, usageToMessage } from "../hub/usage-message.ts";
import { listEndUsers } from "../store/administration/list-end-users.ts";
import { readQuotas } from "../store/quotas/read-quotas.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers } from "./handler.ts";
import { quotaToLimits } from "./limits.ts";
import { pageOf, sizeOf } from "./page.ts";

/** The operations that tell of calls. */
export const reportHandlers: Handlers<"listEndUsers" | "getUsage"> = {
  async listEndUsers(work, { project, pageSize, pageToken }) {
    const size = sizeOf(pageSize);
    const { id: projectId } = await findOwnProject(work, project);
    const found = await listEndUsers(work.store, { projectId, after: pageToken, most: size + 1 });
    const { items, nextPageToken } = pageOf(
      found.map((id) => ({ id })),
      size,
    );
    const names = items.map(({ id }) => id);
    const quotas = await readQuotas(work.store, { kinds: ["endUser"], projectId, names });
    const limits = new Map(quotas.map(({ owner, settings }) => [owner.name, settings]));
    const endUsers = names.map((id) => ({ id, limits: quotaToLimits(limits.get(id) ?? {}) }));
    return { endUsers, nextPageToken };
  },

  async getUsage(work, request) {
    const { id: projectId } = await findOwnProject(work, request.project);
    const query = readUsageRequest(request);
    return usageToMessage(await work.readUsage({ projectId, ...query }), query.groupBy, work.prefix);
  },
};
