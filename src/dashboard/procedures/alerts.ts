import { TRPCError } from "@trpc/server";
import { z } from "zod";
import {
  PROJECT_KINDS,
  targetProblem,
  thresholdProblem,
  WEEK_MINUTES,
  windowProblem,
} from "../../alerts/check-rule.ts";
import { DESTINATION_KINDS } from "../../alerts/ports.ts";
import { checkPublicUrl, PrivateAddressError } from "../../lib/public-address.ts";
import { describeTarget } from "../../store/dashboard/alerts.ts";
import { id } from "../access/fields.ts";
import { projectProcedure, router } from "../access/procedures.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const NAME_PROBLEM = "must have 1 to 64 letters, digits, '.', '-' and '_', and begin with a letter or a digit";
const name = z.string(NAME_PROBLEM).regex(NAME, NAME_PROBLEM);

const PAGE_SIZE = 50;
const DELIVERIES = 50;
const THRESHOLD = "must be a number from 0.001 to 1000000000";
const WINDOW = "must be a whole number of minutes, 1 or more";
const CALLS = "must be a whole number from 0 to 1000000";

const rule = z
  .object({
    name,
    kind: z.enum(PROJECT_KINDS, `must be ${PROJECT_KINDS.join(", ")}`),
    threshold: z.number(THRESHOLD).min(0.001, THRESHOLD).max(1e9, THRESHOLD),
    windowMinutes: z.int(WINDOW).min(1, WINDOW).max(WEEK_MINUTES, WINDOW),
    minCalls: z.int(CALLS).min(0, CALLS).max(1_000_000, CALLS),
    isEnabled: z.boolean("must be true or false"),
  })
  .check(({ value: { kind, windowMinutes, threshold }, issues }) => {
    const problems = {
      windowMinutes: windowProblem(kind, windowMinutes),
      threshold: thresholdProblem(kind, threshold),
    };
    for (const [member, message] of Object.entries(problems)) {
      if (message !== undefined) issues.push({ code: "custom", path: [member], message, input: undefined });
    }
  });

const destination = z
  .object({
    name,
    kind: z.enum(DESTINATION_KINDS, `must be ${DESTINATION_KINDS.join(", ")}`),
    target: z.string("must be a text").max(2000, "must have 2000 characters at most"),
  })
  .check(({ value: { kind, target }, issues }) => {
    const message = targetProblem(kind, target);
    if (message !== undefined) issues.push({ code: "custom", path: ["target"], message, input: target });
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
    const { enabled, rules } = ctx.alerts.settings();
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
  setRule: projectProcedure.input(z.object({ rule })).mutation(async ({ ctx, input }) => {
    const fixed = ctx.alerts.settings().rules.find((one) => one.name === input.rule.name)?.kind;
    if (fixed !== undefined && fixed !== input.rule.kind) {
      throw new TRPCError({ code: "BAD_REQUEST", message: `rule.kind: a rule of this name is of the kind ${fixed}` });
    }
    await ctx.store.alerts.setRule(input.projectId, input.rule);
  }),

  /** Removes a rule; where the configuration has one of its name, that one holds again. */
  removeRule: projectProcedure.input(z.object({ name })).mutation(async ({ ctx, input }) => {
    if (await ctx.store.alerts.removeRule(input.projectId, input.name)) return;
    throw new TRPCError({ code: "NOT_FOUND", message: "the project has no such rule" });
  }),

  /** Lists the project's own destinations. */
  destinations: projectProcedure.query(async ({ ctx, input: { projectId } }) => {
    const { smtp, destinations } = ctx.alerts.settings();
    const own = await ctx.store.alerts.destinations(projectId);
    return {
      destinations: own.map(({ target, ...one }) => ({ ...one, target: describeTarget(one.kind, target) })),
      /** True if mail can be sent. */
      hasMail: smtp !== undefined,
      /** Destinations of the operator, which get the alerts of all projects. */
      general: destinations.filter(({ sends }) => sends.includes("alerts")).length,
    };
  }),

  /** Adds a destination; returns the secret that messages to a webhook are signed with. */
  addDestination: projectProcedure
    .input(z.object({ destination }))
    .mutation(async ({ ctx, input: { projectId, destination: added } }) => {
      const { smtp, allowPrivateAddresses } = ctx.alerts.settings();
      if (added.kind === "email" && smtp === undefined) {
        throw new TRPCError({ code: "BAD_REQUEST", message: "destination.kind: no server for mail is configured" });
      }
      if (added.kind !== "email" && !allowPrivateAddresses) await checkTarget(added.target, projectId);
      const created = await ctx.store.alerts.addDestination({ projectId, ...added });
      if (!created?.isNew) {
        throw new TRPCError({ code: "CONFLICT", message: "destination.name: is the name of another destination" });
      }
      const { destination } = created;
      return { id: destination.id, secret: added.kind === "webhook" ? ctx.alerts.secretOf(destination) : null };
    }),

  removeDestination: projectProcedure.input(z.object({ id })).mutation(async ({ ctx, input }) => {
    if (await ctx.store.alerts.removeDestination(input.projectId, input.id)) return;
    throw new TRPCError({ code: "NOT_FOUND", message: "there is no such destination" });
  }),

  /** Sends a test at once; tells how it ended. */
  testDestination: projectProcedure.input(z.object({ id })).mutation(async ({ ctx, input }) => {
    const own = await ctx.store.alerts.destinations(input.projectId);
    const found = own.find((one) => one.id === input.id);
    if (found === undefined) throw new TRPCError({ code: "NOT_FOUND", message: "there is no such destination" });
    const testId = await ctx.store.alerts.beginTest(found);
    const { isDelivered, ...sent } = await ctx.alerts.test(found, testId);
    await ctx.store.alerts.endTest(found, sent);
    return { isDelivered, problem: sent.problem ?? null };
  }),

  /** Lists the latest messages to the project's own destinations. */
  deliveries: projectProcedure.query(
    async ({ ctx, input: { projectId } }) => await ctx.store.alerts.deliveries(projectId, DELIVERIES),
  ),
});

/** A name that leads nowhere yet may lead to the internet later: each attempt looks again. */
async function checkTarget(target: string, projectId: string): Promise<void> {
  try {
    await checkPublicUrl(target, projectId);
  } catch (error) {
    if (!(error instanceof PrivateAddressError)) return;
    throw new TRPCError({ code: "BAD_REQUEST", message: `destination.target: ${error.message}`, cause: error });
  }
}
