import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { includesPermission, refusalOf } from "../../hub/permissions.ts";
import { DAY_MS } from "../../store/dashboard/figures/steps.ts";
import type { KeyInfo } from "../../store/keys/key-repository.ts";
import { KEY_ORDERS } from "../../store/keys/page-keys.ts";
import { comparedText, displayName, id } from "../access/fields.ts";
import { forbidden, projectProcedure, router } from "../access/procedures.ts";
import { quotaSettings } from "../access/quota-fields.ts";
import { checkModels } from "./quotas.ts";

const expiresAt = z.iso
  .datetime("must be a time such as 2027-01-31T00:00:00.000Z")
  .transform((text) => new Date(text))
  .refine((time) => time.getTime() > Date.now(), "must be in the future");

const USAGE_DAYS = 30;

/** Most keys of one page, and ids that are named at once. */
const MOST_LISTED = 100;
const MOST_NAMED = 500;
const MAX_OFFSET = 1_000_000;

const publicIds = (most: number) =>
  z.array(comparedText(100), "must be a list of ids").max(most, `must have at most ${most}`);

const listInput = z.object({
  /** A part of the name or the public id. */
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
    const used = await ctx.store.keys.usage(input.projectId, { from, to }, input.publicIds);
    const keys = used.map(({ pricedCalls, costNanos, ...usage }) => ({
      ...usage,
      /** Null where the cost of no call is known. */
      costNanos: pricedCalls === 0 ? null : costNanos,
    }));
    return { days: USAGE_DAYS, keys };
  }),

  /** The whole key is shown this once. */
  create: projectProcedure
    .input(z.object({ name: displayName, expiresAt: expiresAt.optional(), limits: quotaSettings.optional() }))
    .mutation(async ({ ctx, input: { projectId, name, expiresAt, limits } }) => {
      if (limits !== undefined) {
        if (!includesPermission(ctx.role, "limits.change")) throw forbidden(refusalOf(ctx.role, "limits.change"));
        checkModels(ctx, limits);
      }
      const { key, info } = await ctx.store.keys.create(projectId, { name, expiresAt, quota: limits });
      if (limits !== undefined) await ctx.quotas.refresh();
      return { key, info: describeKey(info, ctx.user.userId) };
    }),

  revoke: projectProcedure.input(z.object({ keyId: id })).mutation(async ({ ctx, input }) => {
    const key = await ctx.store.keys.read(input.projectId, input.keyId);
    if (key !== undefined && key.createdBy !== ctx.user.userId && !includesPermission(ctx.role, "keys.revoke-any")) {
      throw forbidden(`somebody else created this key: ${refusalOf(ctx.role, "keys.revoke-any")}`);
    }
    const info = await ctx.store.keys.revoke(input.projectId, input.keyId);
    if (info === undefined) throw new TRPCError({ code: "NOT_FOUND", message: "there is no such key" });
    return describeKey(info, ctx.user.userId);
  }),
});

function describeKey({ projectId: _, createdBy, ...info }: KeyInfo, userId: string) {
  return { ...info, isYours: createdBy === userId, state: stateOf(info) };
}

function stateOf({ revokedAt, expiresAt }: Pick<KeyInfo, "revokedAt" | "expiresAt">): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? "expired" : "active";
}
