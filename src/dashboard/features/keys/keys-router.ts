import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { getKeyState } from "../../../operations/key-message.ts";
import { quotaToLimits } from "../../../operations/limits.ts";
import { isUnlimited } from "../../../quotas/quota-settings.ts";
import { DAY_MS } from "../../../store/dashboard/figures/steps.ts";
import { PLAYGROUND_PREFIX } from "../../../store/keys/key-format.ts";
import type { KeyInfo, KeyTags } from "../../../store/keys/key-repository.ts";
import { KEY_ORDERS } from "../../../store/keys/page-keys.ts";
import { findTagProblems, MAX_TAGS } from "../../../vocabulary/key-tags.ts";
import { comparedText } from "../../access/fields.ts";
import { atFields } from "../../access/operation-errors.ts";
import { operationProcedure, projectProcedure, router } from "../../access/procedures.ts";
import { limitFields, quotaSettings } from "../../access/quota-fields.ts";

const expiresAt = z.iso
  .datetime("must be a time such as 2027-01-31T00:00:00.000Z")
  .transform((text) => timestampFromDate(new Date(text)));

const tags = z
  .array(z.object({ name: z.string("must be a text"), value: z.string("must be a text") }), "must be a list of tags")
  .max(MAX_TAGS, `must have at most ${MAX_TAGS}`)
  .check(({ value, issues }) => {
    for (const [at, message] of findTagProblems(value)) {
      issues.push({ code: "custom", path: [at], message, input: value[at] });
    }
  })
  .transform((list): KeyTags => Object.fromEntries(list.map(({ name, value }) => [name, value])));

const text = z.string("must be a text");

const USAGE_DAYS = 30;

const HOUR_MS = 3_600_000;

/** Most keys of one page, and ids that are named at once. */
const MOST_LISTED = 100;
const MOST_NAMED = 500;
const MAX_OFFSET = 1_000_000;

const publicIds = (most: number) =>
  z.array(comparedText(100), "must be a list of ids").max(most, `must have at most ${most}`);

const listInput = z.object({
  /** A part of the name, the public id, or a tag. */
  text: comparedText(100).optional(),
  /** True if keys that expired or were revoked are listed too. */
  withEnded: z.boolean("must be true or false").default(false),
  order: z.enum(KEY_ORDERS, `must be one of ${KEY_ORDERS.join(", ")}`).default("created"),
  offset: z.int("must be a whole number").min(0, "must not be negative").max(MAX_OFFSET, "is too large").default(0),
  limit: z
    .int("must be a whole number")
    .min(1, "must be 1 or more")
    .max(MOST_LISTED, `must be ${MOST_LISTED} or less`)
    .default(50),
});

/** API keys of a project. */
export const keysRouter = router({
  /** A page of keys with their limits, those that still work unless all are asked for. */
  list: projectProcedure.input(listInput).query(async ({ ctx, input }) => {
    const { keys, total, ended } = await ctx.store.keys.list(input);
    const names = keys.map(({ publicId }) => publicId);
    const quotas = await ctx.store.quotas.list(input.projectId, { kinds: ["key"], names, limit: MOST_LISTED });
    const limits = new Map(quotas.map(({ owner, settings }) => [owner.name, settings]));
    return {
      keys: keys.map((key) => ({ ...describeKey(key, ctx.user.userId), limits: limits.get(key.publicId) ?? {} })),
      total,
      ended,
    };
  }),

  /** Names of keys by their public ids; unknown ones are left out. */
  names: projectProcedure
    .input(z.object({ publicIds: publicIds(MOST_NAMED) }))
    .query(async ({ ctx, input }) => Object.fromEntries(await ctx.store.keys.names(input.projectId, input.publicIds))),

  /** Returns the usage of some keys in the last days, without those that were not used. */
  usage: projectProcedure.input(z.object({ publicIds: publicIds(MOST_LISTED) })).query(async ({ ctx, input }) => {
    const to = new Date();
    const from = new Date(to.getTime() - USAGE_DAYS * DAY_MS);
    if (input.publicIds.length === 0) return { days: USAGE_DAYS, keys: [] };
    const used = await ctx.store.reads.readMeasures({
      projectId: input.projectId,
      range: { from, to },
      bucket: "none",
      by: ["key"],
      filter: { key: input.publicIds },
      measures: ["calls", "tokens", "priced.cost"],
    });
    const keys = used.map(({ group: [publicId = ""], values }) => ({
      publicId,
      calls: values.calls,
      tokens: values.tokens,
      costNanos: values["priced.cost"],
    }));
    return { days: USAGE_DAYS, keys };
  }),

  /** The whole key is shown this once. */
  create: operationProcedure("createKey")
    .input(
      z.object({
        name: text,
        expiresAt: expiresAt.optional(),
        tags: tags.optional(),
        limits: quotaSettings.optional(),
      }),
    )
    .mutation(async ({ ctx, input: { projectId: project, limits = {}, ...key } }) => {
      const request = { project, key: { ...key, limits: quotaToLimits(limits) } };
      const fields = { ...limitFields("key.limits", "limits"), key: "" };
      const created = await atFields(ctx.operation(request), fields);
      if (!isUnlimited(limits)) await ctx.quotas.refresh();
      return { key: created.secret, publicId: created.key?.id };
    }),

  /** Changes what is given. Tags are all those that the calls of the key get; an expiry of null is none. */
  update: operationProcedure("updateKey")
    .input(
      z.object({
        publicId: text,
        name: text.optional(),
        expiresAt: expiresAt.nullable().optional(),
        tags: tags.optional(),
        paused: z.boolean("must be true or false").optional(),
      }),
    )
    .mutation(async ({ ctx, input: { publicId: id, name, expiresAt, tags, paused } }) => {
      const paths = Object.entries({ name, expires_at: expiresAt, tags, paused }).flatMap(([path, value]) =>
        value === undefined ? [] : [path],
      );
      const update = { name: name ?? "", tags: tags ?? {}, paused: paused ?? false, ...(expiresAt && { expiresAt }) };
      await atFields(ctx.operation({ id, update, updateMask: { paths } }), { id: "publicId", update: "" });
    }),

  /** Gives a key a new secret, which is shown this once; the former one works on for a while. */
  rotate: operationProcedure("rotateKey")
    .input(z.object({ publicId: text, overlapHours: z.int32("must be a whole number") }))
    .mutation(async ({ ctx, input: { publicId: id, overlapHours } }) => {
      const overlap = durationFromMs(overlapHours * HOUR_MS);
      const { secret } = await atFields(ctx.operation({ id, overlap }), {
        id: "publicId",
        overlap: "overlapHours",
      });
      return { key: secret };
    }),

  revoke: operationProcedure("revokeKey")
    .input(z.object({ publicId: text }))
    .mutation(async ({ ctx, input: { publicId } }) => {
      await atFields(ctx.operation({ id: publicId }), { id: "publicId" });
    }),
});

function describeKey({ projectId: _, createdBy, ...info }: KeyInfo, userId: string) {
  return { ...info, isYours: createdBy === userId, isOfPlayground: isOfPlayground(info), state: getKeyState(info) };
}

/** Tells whether a key has no secret that anybody knows: it cannot be rotated. */
function isOfPlayground({ publicId }: Pick<KeyInfo, "publicId">): boolean {
  return publicId.startsWith(PLAYGROUND_PREFIX);
}
