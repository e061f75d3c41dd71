import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { findTagProblems, MAX_TAGS } from "../../hub/key-tags.ts";
import { includesPermission, refusalOf } from "../../hub/permissions.ts";
import type { Role } from "../../hub/roles.ts";
import { DAY_MS } from "../../store/dashboard/figures/steps.ts";
import { PLAYGROUND_PREFIX } from "../../store/keys/key-format.ts";
import type { KeyInfo, KeyTags } from "../../store/keys/key-repository.ts";
import { KEY_ORDERS } from "../../store/keys/page-keys.ts";
import type { DashboardContext } from "../access/context.ts";
import { comparedText, displayName, id } from "../access/fields.ts";
import { forbidden, projectProcedure, router } from "../access/procedures.ts";
import { quotaSettings } from "../access/quota-fields.ts";
import { checkModels } from "./quotas.ts";

const expiresAt = z.iso
  .datetime("must be a time such as 2027-01-31T00:00:00.000Z")
  .transform((text) => new Date(text))
  .refine((time) => time.getTime() > Date.now(), "must be in the future");

const tags = z
  .array(z.object({ name: z.string("must be a text"), value: z.string("must be a text") }), "must be a list of tags")
  .max(MAX_TAGS, `must have at most ${MAX_TAGS}`)
  .check(({ value, issues }) => {
    for (const [at, message] of findTagProblems(value)) {
      issues.push({ code: "custom", path: [at], message, input: value[at] });
    }
  })
  .transform((list): KeyTags => Object.fromEntries(list.map(({ name, value }) => [name, value])));

const updateInput = z
  .object({
    keyId: id,
    name: displayName.optional(),
    expiresAt: expiresAt.nullable().optional(),
    tags: tags.optional(),
  })
  .refine(
    ({ name, expiresAt, tags }) => name !== undefined || expiresAt !== undefined || tags !== undefined,
    "must have a name, an expiresAt or tags to change",
  );

const USAGE_DAYS = 30;

const HOUR_MS = 3_600_000;
const MOST_OVERLAP_HOURS = 30 * 24;
const OVERLAP = `must be a number of hours from 0 to ${MOST_OVERLAP_HOURS}`;

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
  create: projectProcedure
    .input(
      z.object({
        name: displayName,
        expiresAt: expiresAt.optional(),
        tags: tags.optional(),
        limits: quotaSettings.optional(),
      }),
    )
    .mutation(async ({ ctx, input: { projectId, name, expiresAt, tags, limits } }) => {
      if (limits !== undefined) {
        if (!includesPermission(ctx.role, "limits.change")) throw forbidden(refusalOf(ctx.role, "limits.change"));
        checkModels(ctx, limits);
      }
      const { key, info } = await ctx.store.keys.create(projectId, { name, expiresAt, tags, quota: limits });
      if (limits !== undefined) await ctx.quotas.refresh();
      return { key, info: describeKey(info, ctx.user.userId) };
    }),

  /** Changes what is given. Tags are all those that the calls of the key get; an expiry of null is none. */
  update: projectProcedure.input(updateInput).mutation(async ({ ctx, input }) => {
    const { projectId, keyId, name, expiresAt, tags } = input;
    const { publicId, revokedAt } = await findChangedKey(ctx, { projectId, keyId });
    if (revokedAt !== null) {
      throw new TRPCError({ code: "CONFLICT", message: "this key was revoked: create another one" });
    }
    const info = await ctx.store.keys.update(publicId, {
      ...(name !== undefined && { name }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(tags !== undefined && { tags }),
    });
    if (info === undefined) throw noKey();
    return describeKey(info, ctx.user.userId);
  }),

  /** Gives a key a new secret, which is shown this once; the former one works on for a while. */
  rotate: projectProcedure
    .input(z.object({ keyId: id, overlapHours: z.number(OVERLAP).min(0, OVERLAP).max(MOST_OVERLAP_HOURS, OVERLAP) }))
    .mutation(async ({ ctx, input: { projectId, keyId, overlapHours } }) => {
      const known = await findChangedKey(ctx, { projectId, keyId });
      if (stateOf(known) !== "active" || isOfPlayground(known)) {
        const message = "only a key that works and is of no playground gets a new secret";
        throw new TRPCError({ code: "BAD_REQUEST", message });
      }
      const rotated = await ctx.store.keys.rotate(projectId, keyId, new Date(Date.now() + overlapHours * HOUR_MS));
      if (rotated === undefined) throw noKey();
      return { key: rotated.key, info: describeKey(rotated.info, ctx.user.userId) };
    }),

  revoke: projectProcedure.input(z.object({ keyId: id })).mutation(async ({ ctx, input }) => {
    await findChangedKey(ctx, input);
    const info = await ctx.store.keys.revoke(input.projectId, input.keyId);
    if (info === undefined) throw noKey();
    return describeKey(info, ctx.user.userId);
  }),
});

interface Changing extends Pick<DashboardContext, "store"> {
  readonly user: { readonly userId: string };
  readonly role: Role;
}

/** Finds a key that the caller may change: one of their own, or any. Throws NOT_FOUND and FORBIDDEN. */
async function findChangedKey(
  { store, user, role }: Changing,
  { projectId, keyId }: { readonly projectId: string; readonly keyId: string },
): Promise<KeyInfo> {
  const key = await store.keys.read(projectId, keyId);
  if (key === undefined) throw noKey();
  if (key.createdBy === user.userId || includesPermission(role, "keys.change-any")) return key;
  throw forbidden(`somebody else created this key: ${refusalOf(role, "keys.change-any")}`);
}

function noKey(): TRPCError {
  return new TRPCError({ code: "NOT_FOUND", message: "there is no such key" });
}

function describeKey({ projectId: _, createdBy, ...info }: KeyInfo, userId: string) {
  return { ...info, isYours: createdBy === userId, isOfPlayground: isOfPlayground(info), state: stateOf(info) };
}

/** Tells whether a key has no secret that anybody knows: it cannot be rotated. */
function isOfPlayground({ publicId }: Pick<KeyInfo, "publicId">): boolean {
  return publicId.startsWith(PLAYGROUND_PREFIX);
}

function stateOf({ revokedAt, expiresAt }: Pick<KeyInfo, "revokedAt" | "expiresAt">): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? "expired" : "active";
}
