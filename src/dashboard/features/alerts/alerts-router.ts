import { z } from "zod";
import { AlertRuleSchema } from "../../../../gen/attune/admin/v1/alert_pb.ts";
import { describeTarget } from "../../../store/dashboard/alerts.ts";
import { id, wholeNumber } from "../../access/fields.ts";
import { operationProcedure, projectProcedure, router } from "../../access/procedures.ts";

const text = z.string("must be a text");
const number = z.number("must be a number");

const PAGE_SIZE = 50;
const DELIVERIES = 50;

const rule = z.object({
  name: text,
  kind: text,
  threshold: number,
  windowMinutes: wholeNumber(AlertRuleSchema.field.windowMinutes),
  minCalls: wholeNumber(AlertRuleSchema.field.minCalls),
  isEnabled: z.boolean("must be true or false"),
});

/** Alerts of a project: what is wrong, by which rules, and where messages go. */
export const alertsRouter = router({
  /** Lists what is open, and what was before, the latest first. */
  list: projectProcedure
    .input(z.object({ cursor: id.optional() }))
    .query(async ({ ctx, input: { projectId, cursor } }) => {
      const { alerts } = ctx.store;
      const [open, page] = await Promise.all([
        cursor === undefined ? alerts.open(projectId) : [],
        alerts.list(projectId, { before: cursor, limit: PAGE_SIZE }),
      ]);
      const closed = page.filter(({ closedAt }) => closedAt !== null);
      return { open, closed, next: page.length < PAGE_SIZE ? null : (page.at(-1)?.id ?? null) };
    }),

  /** Lists the rules that hold in the project: its own, and the others of the configuration. */
  rules: projectProcedure.query(async ({ ctx, input: { projectId } }) => {
    const { enabled, rules } = ctx.alertSettings();
    const own = await ctx.store.alerts.rules(projectId);
    const names = new Set(own.map((one) => one.name));
    const general = rules.filter((one) => one.scope === "project" && !names.has(one.name));
    return {
      isEnabled: enabled,
      rules: [
        ...general.map(({ scope: _, ...one }) => ({ ...one, isOwn: false })),
        ...own.map((one) => ({ ...one, isOwn: true })),
      ],
    };
  }),

  /** Sets a rule by its name; in the project it replaces the one of the configuration. */
  setRule: operationProcedure("setAlertRule")
    .input(z.object({ rule }))
    .mutation(
      async ({
        ctx,
        input: {
          projectId,
          rule: { isEnabled, ...rule },
        },
      }) => {
        await ctx.operation({ project: projectId, rule: { ...rule, disabled: !isEnabled } });
      },
    ),

  /** Removes a rule; where the configuration has one of its name, that one holds again. */
  removeRule: operationProcedure("removeAlertRule")
    .input(z.object({ name: text }))
    .mutation(async ({ ctx, input: { projectId, name } }) => {
      await ctx.operation({ project: projectId, name });
    }),

  /** Lists the project's own destinations. */
  destinations: projectProcedure.query(async ({ ctx, input: { projectId } }) => {
    const { smtp, destinations } = ctx.alertSettings();
    const own = await ctx.store.alerts.destinations(projectId);
    return {
      destinations: own.map(({ target, ...one }) => ({ ...one, target: describeTarget(one.kind, target) })),
      /** True if mail can be sent. */
      hasMail: smtp !== undefined,
      /** Destinations of the operator, which get the alerts of all projects. */
      general: destinations.filter(({ sends }) => sends.includes("alerts")).length,
    };
  }),

  /**
   * Adds a destination, unless there is the same one. Returns the secret that messages to a webhook are signed with;
   * null for other kinds, and where it is there already.
   */
  addDestination: operationProcedure("createAlertDestination")
    .input(z.object({ destination: z.object({ name: text, kind: text, target: text }) }))
    .mutation(async ({ ctx, input: { projectId, destination: wanted } }) => {
      const { destination, secret } = await ctx.operation({
        project: projectId,
        destination: wanted,
      });
      return { id: destination?.id, secret: secret || null };
    }),

  removeDestination: operationProcedure("removeAlertDestination")
    .input(z.object({ id: text }))
    .mutation(async ({ ctx, input }) => {
      await ctx.operation({ project: input.projectId, id: input.id });
    }),

  /** Sends a test at once; tells how it ended. */
  testDestination: operationProcedure("testAlertDestination")
    .input(z.object({ id: text }))
    .mutation(async ({ ctx, input }) => {
      const { delivered, problem } = await ctx.operation({ project: input.projectId, id: input.id });
      return { isDelivered: delivered, problem: problem || null };
    }),

  /** Lists the latest messages to the project's own destinations. */
  deliveries: projectProcedure.query(
    async ({ ctx, input: { projectId } }) => await ctx.store.alerts.deliveries(projectId, DELIVERIES),
  ),
});
