import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { endUserProblem, writtenTagProblem } from "../../quotas/owner-name.ts";
import type { QuotaOwner, QuotaSettings } from "../../quotas/quota.ts";
import { mergeDefaults } from "../../quotas/quota-index.ts";
import { replaceQuota } from "../../quotas/quota-settings.ts";
import type { DashboardContext } from "../access/context.ts";
import { projectProcedure, router } from "../access/procedures.ts";
import { quotaSettings } from "../access/quota-fields.ts";

/** Most quotas that one page lists. */
const LISTED = 1000;

/** The kinds of owners that owners of a project limit; the project itself is limited by the operator. */
const KINDS = ["key", "endUser", "tag"] as const;

const owner = z
  .object({
    kind: z.enum(KINDS, `must be ${KINDS.join(", ")}`),
    /** Empty for each key and end user that has none by name. */
    name: z.string("must be a text"),
  })
  .check(({ value: { kind, name }, issues }) => {
    const message = nameProblem(kind, name);
    if (message !== undefined) issues.push({ code: "custom", path: ["name"], message, input: name });
  });

function nameProblem(kind: (typeof KINDS)[number], name: string): string | undefined {
  if (kind === "tag") return writtenTagProblem(name);
  return name === "" ? undefined : endUserProblem(name);
}

/** Quotas in a project, which its owners change; the one of the project itself they see. */
export const quotasRouter = router({
  /** Lists the quotas that are set in the project, and what goes for all that have none of their own. */
  list: projectProcedure.query(async ({ ctx, input }) => {
    const quotas = await ctx.store.quotas.list(input.projectId, { limit: LISTED + 1 });
    const { eachProject, eachKey, eachEndUser } = mergeDefaults(await ctx.store.quotas.general(), ctx.quotas.defaults);
    return {
      quotas: quotas.slice(0, LISTED).flatMap(({ owner: { kind, name }, settings }) =>
        // The installation is in no project.
        kind === "installation" ? [] : [{ kind, name, settings }],
      ),
      hasMore: quotas.length > LISTED,
      defaults: { project: eachProject, key: eachKey, endUser: eachEndUser },
      /** Names of the models that a quota may name. */
      models: ctx.learning.models,
    };
  }),

  /** Sets all limits of an owner; without any, its quota is removed. */
  set: projectProcedure.input(z.object({ owner, settings: quotaSettings })).mutation(async ({ ctx, input }) => {
    checkModels(ctx, input.settings);
    const place: QuotaOwner = { ...input.owner, projectId: input.projectId };
    if (place.kind === "key" && place.name !== "" && !(await ctx.store.keys.has(place.projectId, place.name))) {
      throw new TRPCError({ code: "NOT_FOUND", message: "there is no such key" });
    }
    const settings = await ctx.store.quotas.set(place, replaceQuota(input.settings));
    await ctx.quotas.refresh();
    return settings;
  }),
});

/** Checks that a quota names models that exist: others would have every call refused. Throws BAD_REQUEST. */
export function checkModels({ learning }: Pick<DashboardContext, "learning">, { models = [] }: QuotaSettings): void {
  const unknown = models.filter((name) => !learning.models.includes(name));
  if (unknown.length === 0) return;
  throw new TRPCError({ code: "BAD_REQUEST", message: `models: there is no model ${unknown.join(", ")}` });
}
