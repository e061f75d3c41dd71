import { includesPermission } from "../../hub/permissions.ts";
import { DAY_MS } from "../../store/dashboard/figures/steps.ts";
import { projectProcedure, router } from "../access/procedures.ts";

const DAYS = 30;
/** Stands for the project of calls of which none is known. */
const UNKNOWN_PROJECT = "";

/** Calls that were refused before they were answered. */
export const refusalsRouter = router({
  /** Returns the refused calls of the last days; to owners also those that no project is known of. */
  list: projectProcedure.query(async ({ ctx, input }) => {
    const since = new Date(Date.now() - DAYS * DAY_MS);
    const seesUnknown = includesPermission(ctx.role, "refusals.read-unknown");
    const [own, unknown] = await Promise.all([
      ctx.store.reads.readRefusals({ projectId: input.projectId, since }),
      seesUnknown ? ctx.store.reads.readRefusals({ projectId: UNKNOWN_PROJECT, since }) : undefined,
    ]);
    const counts = [...own.counts, ...(unknown?.counts ?? [])];
    const samples = [...own.samples, ...(unknown?.samples ?? [])];
    return {
      days: DAYS,
      counts: counts.map(({ reason, keyId, calls }) => ({ reason, keyId, calls })),
      calls: samples
        .sort((a, b) => b.at.getTime() - a.at.getTime())
        .map(({ id, at, reason, keyId, call, message }) => ({ id, at, reason, keyId, call, message })),
    };
  }),
});
