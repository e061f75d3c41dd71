import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { describeDecision } from "../../../learning/learner/describe-decision.ts";
import { HISTORY_ORDERS } from "../../../store/dashboard/reads/sort-history.ts";
import type { InferenceWithLatestFeedback } from "../../../store/read/read-inference.ts";
import type { DashboardContext } from "../../access/context.ts";
import { comparedText, id } from "../../access/fields.ts";
import { projectProcedure, router } from "../../access/procedures.ts";
import { describeAttempt, describeFacts, describeFeedback, describeRequest, readCost } from "./describe-request.ts";
import { checkWindow, historyCursor, historyFilter, timeWindow, toQuery } from "./filter.ts";

/** Messages that are shown at first: the latest ones. */
const FIRST_MESSAGES = 40;
/** Requests before this one in its conversation that are named. */
const EARLIER = 10;
const MAX_PIECE = 10_000_000;

/** Characters of a request that a page can send again. */
const MAX_SENT = 5_000_000;
const FORMATS = ["chat", "responses", "messages"] as const;
const FORMAT_PROBLEM = "must be chat, responses or messages";

const limit = z
  .number("must be a number")
  .int("must be a whole number")
  .min(1, "must be 1 or more")
  .max(100, "must be 100 or less");
const position = z.number("must be a number").int("must be a whole number").min(0, "must not be negative");
const piece = {
  from: position.default(0),
  length: position.max(MAX_PIECE, `must be ${MAX_PIECE} or less`).default(100_000),
};

/** Characters at the end of an id, which are chance. */
const ID_END = 12;
const MOST_KNOWN = 100;
/** The ends of ids that a page has already, one after the other. */
const known = z
  .string("must be a text")
  .max(MOST_KNOWN * ID_END, `must be of ${MOST_KNOWN} ids at most`)
  .regex(new RegExp(`^(?:[0-9a-f]{${ID_END}})*$`), `must be the last ${ID_END} characters of ids`)
  .default("")
  .transform((ends) => new Set(ends.match(new RegExp(`.{${ID_END}}`, "g"))));

/** Requests that were served. */
export const historyRouter = router({
  /**
   * The newest first, without the known ones. With a text, a call looks for a limited time, and says how far it came.
   */
  list: projectProcedure
    .input(z.object({ filter: historyFilter, cursor: historyCursor, limit: limit.default(50), known }))
    .query(async ({ ctx, input }) => {
      const query = { ...toQuery(input.projectId, input.filter), cursor: input.cursor, limit: input.limit };
      const { rows, next, searchedTo, looked } = await ctx.store.reads.listHistory(query);
      return {
        rows: rows.filter(({ id: found }) => !input.known.has(found.slice(-ID_END))).map(describeRequest),
        next: next ?? null,
        searchedTo: searchedTo ?? null,
        looked: looked ?? null,
      };
    }),

  /**
   * The first of the newest requests of a filter by cost, duration or tokens, the greatest first, or the oldest of
   * them.
   */
  sorted: projectProcedure
    .input(
      z
        .object({
          filter: historyFilter,
          order: z.enum(HISTORY_ORDERS, `must be one of ${HISTORY_ORDERS.join(", ")}`),
          limit: limit.default(100),
        })
        .refine(({ filter }) => filter.text === undefined, {
          path: ["order"],
          message: "what is searched for comes the newest first",
        }),
    )
    .query(async ({ ctx, input }) => {
      const query = { ...toQuery(input.projectId, input.filter), limit: input.limit, order: input.order };
      const { rows, looked } = await ctx.store.reads.sortHistory(query);
      return { rows: rows.map(describeRequest), looked };
    }),

  /** Returns the values that requests can be filtered by, of the days in the window. */
  facets: projectProcedure
    .input(z.object(timeWindow).check(checkWindow))
    .query(({ ctx, input }) => ctx.store.reads.readFacets(input)),

  /** Returns the id of the request that was made after another one; null where there is none. */
  newer: projectProcedure
    .input(z.object({ id }))
    .query(({ ctx, input }) => ctx.store.reads.readNewer({ ...input, id: input.id.toLowerCase() })),

  /** One request with all that is known of it, and the latest messages of it. */
  request: projectProcedure.input(z.object({ id })).query(async ({ ctx, input }) => {
    const { row, body, feedback, hasEarlierFeedback } = await readRequest(ctx, input);
    const shown = body && (await ctx.contents.read("view", { projectId: row.projectId, body }, FIRST_MESSAGES));
    const { decision = null, ...facts } = describeFacts(row);
    const { reads } = ctx.store;
    const attempts = await reads.readAttempts([row.id]);
    const { projectId, previousId = null } = row;
    const earlier = await reads.readEarlier({ projectId, previousId, limit: EARLIER });
    // Rows from before there was a policy do not name who answered: it was base.
    const served = row.servedModel || row.model;
    return {
      facts,
      decision: decision && describeDecision(decision),
      cost: readCost(row, ctx.priceOf(served, { upstream: row.upstream, model: row.upstreamModel })) ?? null,
      attempts: (attempts.get(row.id) ?? []).map(describeAttempt),
      feedback: feedback.map(describeFeedback),
      hasEarlierFeedback,
      earlier,
      isRedacted: shown?.isRedacted ?? false,
      content: shown?.content ?? null,
    };
  }),

  /** Messages of a request, from the first and before the second of two positions. */
  messages: projectProcedure.input(z.object({ id, from: position, to: position })).query(async ({ ctx, input }) => {
    const { row, body } = await readRequest(ctx, input);
    return body === undefined ? [] : await ctx.contents.read("messages", { projectId: row.projectId, body }, input);
  }),

  /** A piece of a text or a file of a request, by its number. */
  part: projectProcedure.input(z.object({ id, part: position, ...piece })).query(async ({ ctx, input }) => {
    const { row, body } = await readRequest(ctx, input);
    const found = body && (await ctx.contents.read("part", { projectId: row.projectId, body }, input));
    if (found === undefined) throw new TRPCError({ code: "NOT_FOUND", message: "there is no such text" });
    return found;
  }),

  /** Returns a request as a client would send it again; it has no secret, since none is kept. */
  asSent: projectProcedure
    .input(z.object({ id, model: comparedText(256).optional(), format: z.enum(FORMATS, FORMAT_PROBLEM).optional() }))
    .query(async ({ ctx, input }) => {
      const { row, body } = await readRequest(ctx, input);
      const { model, format } = input;
      const query = { model, format, previousId: row.previousId ?? null };
      const sent = body && (await ctx.contents.read("publicRequest", { projectId: row.projectId, body }, query));
      if (sent === undefined) throw new TRPCError({ code: "NOT_FOUND", message: "its texts were not stored" });
      if (sent.text.length <= MAX_SENT) return { ...sent, workload: row.workload };
      throw new TRPCError({ code: "PAYLOAD_TOO_LARGE", message: "the request is too large to be sent from a page" });
    }),

  /** A piece of the JSON of what was asked or answered. */
  raw: projectProcedure
    .input(z.object({ id, side: z.enum(["request", "answer"], "must be request or answer"), ...piece }))
    .query(async ({ ctx, input }) => {
      const { row, body } = await readRequest(ctx, input);
      if (body === undefined) throw new TRPCError({ code: "NOT_FOUND", message: "nothing was kept of it" });
      return await ctx.contents.read("raw", { projectId: row.projectId, body }, input);
    }),

  /** Checks what an export is asked for; the export asks this before it begins. */
  exportPlan: projectProcedure
    .input(
      z.object({ filter: historyFilter, format: z.enum(["jsonl", "csv"], "must be jsonl or csv").default("jsonl") }),
    )
    .query(({ input }) => ({ ...toQuery(input.projectId, input.filter), format: input.format })),
});

async function readRequest(
  { store }: DashboardContext,
  { projectId, id: requestId }: { readonly projectId: string; readonly id: string },
): Promise<InferenceWithLatestFeedback> {
  const found = await store.reads.readInferenceWithFeedback(projectId, requestId.toLowerCase());
  if (found === undefined) throw new TRPCError({ code: "NOT_FOUND", message: "there is no such request" });
  return found;
}
