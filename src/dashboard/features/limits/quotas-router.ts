import { z } from "zod";
import { quotaToLimits } from "../../../operations/limits.ts";
import { QUOTA_KINDS } from "../../../operations/quotas.ts";
import { mergeDefaults } from "../../../quotas/quota-index.ts";
import { atFields } from "../../access/operation-errors.ts";
import { operationProcedure, projectProcedure, router } from "../../access/procedures.ts";
import { limitFields, quotaSettings } from "../../access/quota-fields.ts";

/** Most quotas that one page lists. */
const LISTED = 1000;

/** The kinds of owners that owners of a project limit; the project itself is limited by the operator. */
const KINDS = ["key", "endUser", "tag"] as const;

const owner = z.object({
  kind: z.enum(KINDS, `must be ${KINDS.join(", ")}`),
  /** Empty for each key and end user that has none by name. */
  name: z.string("must be a text"),
});

const FIELDS = { ...limitFields("limits", "settings"), name: "owner.name", id: "owner.name", kind: "owner.kind" };

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

  /** Returns the limits of one owner; empty where it has none of its own. */
  read: projectProcedure.input(z.object({ owner })).query(async ({ ctx, input: { projectId, owner: limitOwner } }) => {
    const found = await ctx.store.quotas.list(projectId, {
      kinds: [limitOwner.kind],
      names: [limitOwner.name],
      limit: 1,
    });
    return found[0]?.settings ?? {};
  }),

  /** Sets all limits of an owner; without any, its quota is removed. */
  set: operationProcedure("setQuota")
    .input(z.object({ owner, settings: quotaSettings }))
    .mutation(
      async ({
        ctx,
        input: {
          projectId: project,
          owner: { kind, name },
          settings,
        },
      }) => {
        const request = { kind: QUOTA_KINDS[kind], project, name, limits: quotaToLimits(settings) };
        await atFields(ctx.operation(request), FIELDS);
        await ctx.quotas.refresh();
      },
    ),
});
