import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { DAY_MS } from "../../store/dashboard/figures/steps.ts";
import type { KeyInfo } from "../../store/keys/key-repository.ts";
import { displayName, id } from "../access/fields.ts";
import { projectProcedure, router } from "../access/procedures.ts";
import { quotaSettings } from "../access/quota-fields.ts";
import { checkModels } from "./quotas.ts";

const expiresAt = z.iso
  .datetime("must be a time such as 2027-01-31T00:00:00.000Z")
  .transform((text) => new Date(text))
  .refine((time) => time.getTime() > Date.now(), "must be in the future");

const USAGE_DAYS = 30;

/** As many quotas as a project may have. */
const MOST_KEYS = 10_000;

/** API keys of a project. */
export const keysRouter = router({
  list: projectProcedure("viewer").query(async ({ ctx, input }) => {
    const [keys, quotas] = await Promise.all([
      ctx.store.keys.list(input.projectId),
      ctx.store.quotas.list(input.projectId, { kinds: ["key"], limit: MOST_KEYS }),
    ]);
    const limits = new Map(quotas.map(({ owner, settings }) => [owner.name, settings]));
    return keys.map((key) => ({ ...describeKey(key), limits: limits.get(key.publicId) ?? {} }));
  }),

  /** Returns the usage of each key in the last days, without keys that were not used. */
  usage: projectProcedure("viewer").query(async ({ ctx, input }) => {
    const to = new Date();
    const from = new Date(to.getTime() - USAGE_DAYS * DAY_MS);
    const used = await ctx.store.keys.usage(input.projectId, { from, to });
    const keys = used.map(({ pricedCalls, costNanos, ...usage }) => ({
      ...usage,
      /** Null where the cost of no call is known. */
      costNanos: pricedCalls === 0 ? null : costNanos,
    }));
    return { days: USAGE_DAYS, keys };
  }),

  /** The whole key is shown this once. */
  create: projectProcedure("member")
    .input(z.object({ name: displayName, expiresAt: expiresAt.optional(), limits: quotaSettings.optional() }))
    .mutation(async ({ ctx, input: { projectId, name, expiresAt, limits } }) => {
      if (limits !== undefined) {
        if (ctx.role !== "owner") throw new TRPCError({ code: "FORBIDDEN", message: "only owners set limits" });
        checkModels(ctx, limits);
      }
      const { key, info } = await ctx.store.keys.create(projectId, { name, expiresAt, quota: limits });
      if (limits !== undefined) await ctx.quotas.refresh();
      return { key, info: describeKey(info) };
    }),

  revoke: projectProcedure("member")
    .input(z.object({ keyId: id }))
    .mutation(async ({ ctx, input }) => {
      const info = await ctx.store.keys.revoke(input.projectId, input.keyId);
      if (info === undefined) throw new TRPCError({ code: "NOT_FOUND", message: "there is no such key" });
      return describeKey(info);
    }),
});

function describeKey({ projectId: _, ...info }: KeyInfo) {
  return { ...info, state: stateOf(info) };
}

function stateOf({ revokedAt, expiresAt }: Pick<KeyInfo, "revokedAt" | "expiresAt">): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? "expired" : "active";
}
