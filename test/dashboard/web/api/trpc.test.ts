import { type MutationMeta, MutationObserver } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { afterEach, describe, expect, it } from "vitest";
import { queryClient, trpc } from "../../../../src/dashboard/web/api/trpc.ts";

const PROJECT = { projectId: "p" };
const RULES = trpc.alerts.rules.queryKey(PROJECT);
const KEYS = trpc.keys.list.queryKey(PROJECT);

/** Changes a rule of alerts, with an answer that is given; returns which of both lists are to be read again. */
async function change(answer: () => Promise<unknown>, meta: MutationMeta = {}) {
  queryClient.setQueryData(RULES, { isEnabled: true, rules: [] });
  queryClient.setQueryData(KEYS, { keys: [], total: 0, ended: 0 });
  const { mutationKey } = trpc.alerts.setRule.mutationOptions();
  await new MutationObserver(queryClient, { mutationKey, mutationFn: answer, meta, retry: false })
    .mutate()
    .catch(() => {});
  return [RULES, KEYS].map((key) => queryClient.getQueryState(key)?.isInvalidated);
}

afterEach(() => queryClient.clear());

describe("queryClient", () => {
  it("has what a router answered read again after a change through it, and nothing else", async () => {
    expect(await change(async () => ({}))).toEqual([true, false]);
  });

  it("has what a change names read again in place of that", async () => {
    expect(await change(async () => ({}), { changes: [trpc.keys.pathFilter()] })).toEqual([false, true]);
    expect(await change(async () => ({}), { changes: [] })).toEqual([false, false]);
  });

  it("reads again what a refused change was asked of", async () => {
    const refused = async () => {
      throw TRPCClientError.from({ error: { code: -32009, message: "is there", data: { code: "CONFLICT" } } });
    };
    expect(await change(refused, { showsError: true })).toEqual([true, false]);
  });

  it("asks nothing more of a server that is away", async () => {
    const away = async () => {
      throw TRPCClientError.from({
        error: { code: -32603, message: "try again", data: { code: "SERVICE_UNAVAILABLE" } },
      });
    };
    expect(await change(away, { showsError: true })).toEqual([false, false]);
  });
});
