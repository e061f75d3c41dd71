import { z } from "zod";
import { OPTIMIZATION_NAMES } from "../../../catalog/model.ts";
import { InferenceError } from "../../../hub/error.ts";
import type { BoundOperations } from "../../../operations/bind-operations.ts";
import { notFound } from "../../../operations/checks.ts";
import { BODY_POLICY_MESSAGES } from "../../../operations/project-settings.ts";
import { BODY_POLICIES } from "../../../store/bodies/body-policy.ts";
import { atFields, camelCase } from "../../access/operation-errors.ts";
import { operationProcedure, projectProcedure, router } from "../../access/procedures.ts";

/** Names for models, each with the name of a model. */
type Aliases = Readonly<Record<string, string>>;

/** Times that a change of aliases is made to what others have changed meanwhile. */
const MOST_TRIES = 10;

const modelName = z.string("must be a text").trim();

/** The settings of a project, which its owners change. */
export const projectSettingsRouter = router({
  read: projectProcedure.query(({ ctx, input }) => ctx.store.settings.read(input.projectId)),

  /** Sets what is kept of requests and answers from now on; what is already kept stays. */
  setBodies: operationProcedure("updateProject")
    .input(z.object({ bodies: z.enum(BODY_POLICIES, `must be ${BODY_POLICIES.join(", ")}`) }))
    .mutation(async ({ ctx, input: { projectId: project, bodies } }) => {
      const settings = { bodies: BODY_POLICY_MESSAGES[bodies] };
      await ctx.operation({ project, update: { settings }, updateMask: { paths: ["settings.bodies"] } });
    }),

  /** Sets which optimisations are switched off for the project; all others go by the configuration. */
  setOptimizations: operationProcedure("updateProject")
    .input(z.object({ off: z.array(z.enum(OPTIMIZATION_NAMES)).max(OPTIMIZATION_NAMES.length) }))
    .mutation(async ({ ctx, input: { projectId: project, off } }) => {
      const settings = { disabledOptimizations: [...new Set(off)] };
      const paths = ["settings.disabled_optimizations"];
      await ctx.operation({ project, update: { settings }, updateMask: { paths } });
    }),

  /** Has calls of the project get a model by a name of the project's own too. */
  setAlias: projectProcedure.input(z.object({ name: modelName, model: modelName })).mutation(async ({ ctx, input }) => {
    const { projectId, name, model } = input;
    const change = changeAliases(ctx.operate, projectId, (aliases) => ({ ...aliases, [name]: model }));
    const place = "update.settings.aliases";
    await atFields(change, { [camelCase(`${place}.${name}`)]: "model", [place]: "name" });
  }),

  /** Removes a name of the project's own for a model. */
  removeAlias: projectProcedure.input(z.object({ name: modelName })).mutation(async ({ ctx, input }) => {
    const { projectId, name } = input;
    await changeAliases(ctx.operate, projectId, (aliases) => {
      if (!Object.hasOwn(aliases, name)) throw notFound("name", "alias");
      const { [name]: _, ...others } = aliases;
      return others;
    });
  }),
});

/** Changes the names for models; of several who do so at once, each one's change is made to what the others left. */
async function changeAliases(
  operate: BoundOperations,
  project: string,
  change: (aliases: Aliases) => Aliases,
  tries = 1,
): Promise<void> {
  const before = (await operate.getProject({ project })).project;
  const settings = { aliases: change(before?.settings?.aliases ?? {}) };
  const request = { project, etag: before?.etag ?? "", update: { settings } };
  try {
    await operate.updateProject({ ...request, updateMask: { paths: ["settings.aliases"] } });
  } catch (thrown) {
    const isOutdated = thrown instanceof InferenceError && thrown.facts.param === "etag";
    if (!isOutdated || tries === MOST_TRIES) throw thrown;
    await changeAliases(operate, project, change, tries + 1);
  }
}
