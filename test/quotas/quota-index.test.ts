import { describe, expect, it } from "vitest";
import type { QuotaKind, QuotaSettings } from "../../src/quotas/quota.ts";
import { type OwnedQuota, QuotaIndex } from "../../src/quotas/quota-index.ts";
import { NO_QUOTA_DEFAULTS } from "../../src/quotas/quota-settings.ts";

const call = { projectId: "p", keyId: "k", endUserId: "ada", tags: { team: "search", env: "prod" } };

function own(kind: QuotaKind, place: string, settings: QuotaSettings): OwnedQuota {
  const at = place.indexOf("/");
  return { owner: { kind, projectId: place.slice(0, at), name: place.slice(at + 1) }, settings };
}

describe("QuotaIndex", () => {
  it("returns one empty array where nothing is set", () => {
    const index = new QuotaIndex([], NO_QUOTA_DEFAULTS);
    expect(index.find(call)).toEqual([]);
    expect(index.find(call)).toBe(index.find({ ...call, projectId: "other" }));
  });

  it("returns the quotas of installation, project, key, end user and tags, in this order", () => {
    const index = new QuotaIndex(
      [
        own("tag", "p/team=search", { concurrentCalls: 5 }),
        own("tag", "p/team=other", { concurrentCalls: 9 }),
        own("endUser", "p/ada", { concurrentCalls: 4 }),
        own("key", "p/k", { concurrentCalls: 3 }),
        own("project", "p/", { concurrentCalls: 2 }),
        own("installation", "/", { concurrentCalls: 1 }),
      ],
      NO_QUOTA_DEFAULTS,
    );
    expect(index.find(call)).toEqual([
      { kind: "installation", subject: "installation", quota: { concurrentCalls: 1 } },
      { kind: "project", subject: "project:p", quota: { concurrentCalls: 2 } },
      { kind: "key", subject: "key:k", quota: { concurrentCalls: 3 } },
      { kind: "endUser", subject: "end-user:p/ada", quota: { concurrentCalls: 4 } },
      { kind: "tag", subject: "tag:p/team=search", quota: { concurrentCalls: 5 } },
    ]);
    expect(index.find({ projectId: "q", keyId: "k2", endUserId: "ada", tags: { team: "search" } })).toEqual([
      { kind: "installation", subject: "installation", quota: { concurrentCalls: 1 } },
    ]);
  });

  it("counts each end user and each key on its own where a default goes for all of them", () => {
    const index = new QuotaIndex(
      [own("endUser", "p/", { costNanosPerDay: 7 }), own("key", "p/", { requestsPerMinute: 8 })],
      NO_QUOTA_DEFAULTS,
    );
    expect(index.find(call)).toEqual([
      { kind: "key", subject: "key:k", quota: { requestsPerMinute: 8 } },
      { kind: "endUser", subject: "end-user:p/ada", quota: { costNanosPerDay: 7 } },
    ]);
    expect(index.find({ ...call, keyId: "k2", endUserId: undefined })).toEqual([
      { kind: "key", subject: "key:k2", quota: { requestsPerMinute: 8 } },
    ]);
    expect(index.find(call)[0]).toBe(index.find(call)[0]);
  });

  it("takes each limit from the nearest: by name, the project's default, the database's, the configuration's", () => {
    const index = new QuotaIndex(
      [
        own("endUser", "p/ada", { requestsPerMinute: 1 }),
        own("endUser", "p/", { requestsPerMinute: 2, inputTokensPerMinute: 2 }),
        own("endUser", "/", { requestsPerMinute: 3, inputTokensPerMinute: 3, concurrentCalls: 3 }),
        own("installation", "/", { requestsPerMinute: 3 }),
      ],
      {
        installation: { requestsPerMinute: 4, costNanosPerMonth: 4 },
        eachProject: { models: ["m"] },
        eachKey: {},
        eachEndUser: { requestsPerMinute: 4, inputTokensPerMinute: 4, concurrentCalls: 4, costNanosPerDay: 4 },
      },
    );
    const shared = { costNanosPerDay: 4 };
    expect(index.find({ ...call, tags: {} })).toEqual([
      { kind: "installation", subject: "installation", quota: { requestsPerMinute: 3, costNanosPerMonth: 4 } },
      { kind: "project", subject: "project:p", quota: { models: ["m"] } },
      {
        kind: "endUser",
        subject: "end-user:p/ada",
        quota: { requestsPerMinute: 1, inputTokensPerMinute: 2, concurrentCalls: 3, ...shared },
      },
    ]);
    expect(index.find({ projectId: "q", keyId: "k", endUserId: "bob", tags: {} })[2]?.quota).toEqual({
      requestsPerMinute: 3,
      inputTokensPerMinute: 3,
      concurrentCalls: 3,
      ...shared,
    });
  });
});
