/**
 * Measures what limits cost a request: finding its quotas, reserving, settling and telling what is left, in a loop of
 * the parts without a server. Prints microseconds of processor time a call, and MiB.
 */

import { create } from "@bufbuild/protobuf";
import { Dialect, UsageSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { createHubInput } from "../../src/hub/input.ts";
import { createCallLimiter } from "../../src/quotas/call-limiter.ts";
import { grantLease } from "../../src/quotas/grant-lease.ts";
import { Leaser } from "../../src/quotas/leaser.ts";
import type { QuotaLeases } from "../../src/quotas/leases.ts";
import type { QuotaSettings } from "../../src/quotas/quota.ts";
import { type OwnedQuota, QuotaIndex } from "../../src/quotas/quota-index.ts";
import { QuotaLedger } from "../../src/quotas/quota-ledger.ts";
import { NO_QUOTA_DEFAULTS } from "../../src/quotas/quota-settings.ts";
import { readOptions } from "../support/read-options.ts";
import { stubModel, stubPlace, stubUpstream, unknownModel } from "../support/stub-upstream.ts";

readOptions("usage: npm run bench:admission", {});

const CALLS = 200_000;
const KEY_QUOTA: QuotaSettings = { requestsPerMinute: 1e9, costNanosPerDay: 1e15 };
const ALL: QuotaSettings = {
  requestsPerMinute: 1e9,
  inputTokensPerMinute: 1e12,
  outputTokensPerMinute: 1e12,
  concurrentCalls: 1e6,
  costNanosPerDay: 1e15,
  costNanosPerMonth: 1e15,
  costNanosTotal: 1e15,
  models: ["m"],
};
const place = stubPlace(stubUpstream("up", []));

/** Grants all that is wanted, and remembers nothing: a store's memory is not this process's. */
const GENEROUS: QuotaLeases = {
  exchange: async (requests) =>
    requests.map((request) => grantLease({ leasedByAll: request.leased, lost: 0 }, request)),
  renew: async () => {},
};

interface Setting {
  readonly name: string;
  readonly quotas: readonly OwnedQuota[];
  readonly defaults?: typeof NO_QUOTA_DEFAULTS;
  readonly endUsers: number;
}

const named = (count: number): OwnedQuota[] =>
  Array.from({ length: count }, (_, at) => ({
    owner: { kind: "key", projectId: "p", name: `k${at}` },
    settings: KEY_QUOTA,
  }));

const SETTINGS: readonly Setting[] = [
  { name: "no quotas", quotas: [], endUsers: 0 },
  { name: "a key with two limits", quotas: named(1), endUsers: 0 },
  {
    name: "two limits of each of 1,000 end users",
    quotas: [],
    defaults: { ...NO_QUOTA_DEFAULTS, eachEndUser: KEY_QUOTA },
    endUsers: 1000,
  },
  { name: "1,000 quotas, of 10,000 keys", quotas: named(1000), endUsers: 0 },
  {
    name: "all seven limits of installation, project, key and 1,000 end users",
    quotas: [],
    defaults: { ...NO_QUOTA_DEFAULTS, installation: ALL, eachProject: ALL, eachKey: ALL, eachEndUser: ALL },
    endUsers: 1000,
  },
  {
    name: "two limits of each of 100,000 end users",
    quotas: [],
    defaults: { ...NO_QUOTA_DEFAULTS, eachEndUser: KEY_QUOTA },
    endUsers: 100_000,
  },
];

async function measure({ name, quotas, defaults = NO_QUOTA_DEFAULTS, endUsers }: Setting): Promise<void> {
  const now = (): number => performance.timeOrigin + performance.now();
  const leaser = new Leaser({ leases: GENEROUS, now });
  const ledger = new QuotaLedger(now, { leaser });
  const index = new QuotaIndex(quotas, defaults);
  const limiter = createCallLimiter({
    book: index,
    ledger,
    now,
    reserve: () => "usual",
    hidesModels: () => false,
  });
  const inputs = Array.from({ length: Math.max(1, endUsers) }, (_, at) =>
    createHubInput({
      model: "attune/m",
      dialect: Dialect.CHAT,
      ...(endUsers > 0 && { facts: { endUserId: `user-${at}` } }),
    }),
  );
  const usage = create(UsageSchema, { inputTokens: 5, outputTokens: 20 });
  const keys = quotas.length === 1 ? 1 : 10_000;
  const callOnce = async (turn: number): Promise<void> => {
    const input = inputs[turn % inputs.length];
    if (input === undefined) return;
    const principal = { projectId: "p", keyId: `k${turn % keys}` };
    const begun = limiter.begin({ principal, input, model: stubModel, unknownModel });
    const quota = begun instanceof Promise ? await begun : begun;
    if (quota === undefined) return;
    const first = quota.reserveFirst(place, input);
    if (first !== undefined) await first;
    const reserved = quota.reserve(place, input);
    const attempt = reserved instanceof Promise ? await reserved : reserved;
    quota.states();
    attempt.settle({ usage, costNanos: 200 });
    quota.end("answered");
  };
  const before = heapMiB();
  for (let turn = 0; turn < CALLS; turn += 1) await callOnce(turn);
  await leaser.tick();
  const started = process.cpuUsage();
  for (let turn = 0; turn < CALLS; turn += 1) await callOnce(turn);
  const { user, system } = process.cpuUsage(started);
  const cost = ((user + system) / CALLS).toFixed(2);
  process.stdout.write(`${name}: ${cost} us a call, ${(heapMiB() - before).toFixed(1)} MiB\n`);
  await leaser.close();
}

function heapMiB(): number {
  globalThis.gc?.();
  // Counters are rows of typed arrays, whose memory is not on the heap.
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

for (const setting of SETTINGS) await measure(setting);
