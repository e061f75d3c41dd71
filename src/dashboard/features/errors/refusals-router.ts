import { includesPermission } from "../../../vocabulary/permissions.ts";
import { projectProcedure, router } from "../../access/procedures.ts";
import { planWindow, rangeInput } from "../../figures/window.ts";

/** Stands for the project of calls of which none is known. */
const UNKNOWN_PROJECT = "";

/** Calls that were refused before they were answered. */
export const refusalsRouter = router({
  /** Returns the refused calls of a time; to owners also those that no project is known of. */
  list: projectProcedure.input(rangeInput).query(async ({ ctx, input }) => {
    const { fromMs, toMs, stepMs } = planWindow(input, Date.now());
    const time = { since: new Date(fromMs), before: new Date(toMs), stepMs };
    const seesUnknown = includesPermission(ctx.role, "refusals.read-unknown");
    const [own, unknown] = await Promise.all([
      ctx.store.reads.readRefusals({ projectId: input.projectId, ...time }),
      seesUnknown ? ctx.store.reads.readRefusals({ projectId: UNKNOWN_PROJECT, ...time }) : undefined,
    ]);
    const counts = [...own.counts, ...(unknown?.counts ?? [])];
    const samples = [...own.samples, ...(unknown?.samples ?? [])];
    return {
      counts: counts.map(({ reason, keyId, calls }) => ({ reason, keyId, calls })),
      calls: samples
        .sort((a, b) => b.at.getTime() - a.at.getTime())
        .map(({ id, at, reason, keyId, call, message }) => ({ id, at, reason, keyId, call, message })),
    };
  }),
});
