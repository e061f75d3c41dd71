import { z } from "zod";
import type { HistoryQuery } from "../../../store/dashboard/reads/list-history.ts";
import { comparedText, id } from "../../access/fields.ts";

const name = comparedText(256);
/** Longer tags cannot be found. */
const tagText = comparedText(200);

const time = z.iso
  .datetime({ error: "must be a time such as 2027-01-31T00:00:00.000Z" })
  .transform((text) => new Date(text));

/** From a time on and before another one, by when requests began; either may be left out. */
export const timeWindow = { from: time.optional(), to: time.optional() };

/** Complains of an end that is not after the beginning. */
export function checkWindow({
  value,
  issues,
}: z.core.ParsePayload<{ readonly from?: Date | undefined; readonly to?: Date | undefined }>): void {
  if (value.from === undefined || value.to === undefined || value.from < value.to) return;
  issues.push({ code: "custom", path: ["to"], message: "must be later than from", input: value.to });
}

/**
 * The filter of requests; a member that is not set matches anything. The empty workload is that of requests without
 * one.
 */
export const historyFilter = z
  .strictObject({
    model: name.optional(),
    /** The model that answered, or failed to. */
    servedModel: name.optional(),
    upstream: name.optional(),
    errorReason: name.optional(),
    keyId: name.optional(),
    workload: name.optional(),
    status: name.optional(),
    sessionId: name.min(1, "must not be empty").optional(),
    endUserId: name.min(1, "must not be empty").optional(),
    /** A tag of the request itself. */
    callTag: z.strictObject({ name: tagText.min(1, "must not be empty"), value: tagText }).optional(),
    /** A tag of its feedback. */
    tag: z.strictObject({ key: tagText.min(1, "must not be empty"), value: tagText }).optional(),
    metric: z
      .strictObject({
        name: name.min(1, "must not be empty"),
        compare: z.enum([">", "<", "="], "must be >, < or ="),
        value: z.number("must be a number"),
      })
      .optional(),
    text: comparedText(500).trim().min(1, "must not be empty").optional(),
    /** True to look for the text in whole texts, and not in first words alone. */
    isWhole: z.boolean("must be true or false").optional(),
    ...timeWindow,
  })
  .check(checkWindow)
  .default({});

/** A filter, read. */
type HistoryFilter = z.infer<typeof historyFilter>;

/** The id after which a list goes on. */
export const historyCursor = id.optional();

/** Turns a filter into what the store is asked for. */
export function toQuery(projectId: string, filter: HistoryFilter): Omit<HistoryQuery, "limit"> {
  const { model, servedModel, upstream, errorReason, keyId, workload, status, ...facts } = filter;
  const { sessionId, endUserId, callTag, ...others } = facts;
  return {
    projectId,
    ...others,
    facts: { sessionId, endUserId, callTag },
    filter: { model, servedModel, upstream, errorReason, keyId, workload, status },
  };
}
