import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { OPTIMIZATION_NAMES } from "../../catalog/model.ts";
import { MAX_ALIASES, resolveAlias } from "../../catalog/project-alias.ts";
import { BODY_POLICIES } from "../../store/dashboard/project-settings.ts";
import { projectProcedure, router } from "../access/procedures.ts";

const modelName = z.string("must be a text").trim();

/** The settings of a project, which its owners change. */
export const projectSettingsRouter = router({
  read: projectProcedure.query(({ ctx, input }) => ctx.store.settings.read(input.projectId)),

  /** Sets what is kept of requests and answers from now on; what is already kept stays. */
  setBodies: projectProcedure
    .input(z.object({ bodies: z.enum(BODY_POLICIES, `must be ${BODY_POLICIES.join(", ")}`) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.store.settings.set(input.projectId, { bodies: input.bodies });
    }),

  /** Sets which optimisations are switched off for the project; all others go by the configuration. */
  setOptimizations: projectProcedure
    .input(z.object({ off: z.array(z.enum(OPTIMIZATION_NAMES)).max(OPTIMIZATION_NAMES.length) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.store.settings.set(input.projectId, { optimizationsOff: [...new Set(input.off)] });
    }),

  /** Has calls of the project get a model by a name of the project's own too. */
  setAlias: projectProcedure.input(z.object({ name: modelName, model: modelName })).mutation(async ({ ctx, input }) => {
    const { projectId, name } = input;
    const resolved = resolveAlias(input, ctx.modelOf);
    if ("problem" in resolved) {
      throw new TRPCError({ code: "BAD_REQUEST", message: `${resolved.wrong}: ${resolved.problem}` });
    }
    await ctx.store.settings.changeAliases(projectId, (aliases) => {
      const changed = { ...aliases, [name]: resolved.model };
      if (Object.keys(changed).length <= MAX_ALIASES) return changed;
      const message = `the project has ${MAX_ALIASES} names of its own for models, as many as it may: remove one first`;
      throw new TRPCError({ code: "CONFLICT", message });
    });
  }),

  /** Removes a name of the project's own for a model. */
  removeAlias: projectProcedure.input(z.object({ name: modelName })).mutation(async ({ ctx, input }) => {
    const { projectId, name } = input;
    await ctx.store.settings.changeAliases(projectId, (aliases) => {
      if (!Object.hasOwn(aliases, name)) {
        throw new TRPCError({ code: "NOT_FOUND", message: "the project has no such name for a model" });
      }
      const { [name]: _, ...others } = aliases;
      return others;
    });
  }),
});
