import { describe, expect, it } from "vitest";
import { limitRows } from "../../../../../src/dashboard/features/limits/web/limit-rows.ts";

describe("limitRows()", () => {
  it("lists the project, each key and each end user, then those by name, with what holds by default", () => {
    const quotas = {
      quotas: [
        { kind: "endUser", name: "", settings: { concurrentCalls: 2 } },
        { kind: "endUser", name: "user-10", settings: { requestsPerMinute: 10 } },
        { kind: "endUser", name: "user-9", settings: { requestsPerMinute: 1 } },
        { kind: "key", name: "2b7c", settings: { requestsPerMinute: 3 } },
        { kind: "tag", name: "team=search", settings: { requestsPerMinute: 4 } },
      ] as const,
      hasMore: false,
      defaults: { project: {}, key: { concurrentCalls: 9 }, endUser: { concurrentCalls: 5, requestsPerMinute: 6 } },
      models: [],
    };
    const rows = limitRows({ ...quotas, quotas: [...quotas.quotas] }, () => "laptop");
    expect(rows.map(({ title, settings, defaults }) => [title, settings, defaults])).toEqual([
      ["This project", {}, {}],
      ["Each key", {}, { concurrentCalls: 9 }],
      ["Each end user", { concurrentCalls: 2 }, { concurrentCalls: 5, requestsPerMinute: 6 }],
      ["End user user-9", { requestsPerMinute: 1 }, { concurrentCalls: 2, requestsPerMinute: 6 }],
      ["End user user-10", { requestsPerMinute: 10 }, { concurrentCalls: 2, requestsPerMinute: 6 }],
      ["Key laptop", { requestsPerMinute: 3 }, { concurrentCalls: 9 }],
      ["Tag team=search", { requestsPerMinute: 4 }, {}],
    ]);
  });
});
