import { describe, expect, it } from "vitest";
import { nameCleared } from "../../../src/facade/administration/name-cleared.ts";

describe("nameCleared()", () => {
  it("names what a document has empty, by the names of JSON and of files", () => {
    const settings = { bodies: "none", aliases: {}, disabledOptimizations: [] };
    const keys = [
      { name: "ci", permissions: [], expires_at: null, tags: { team: "a" } },
      { expiresAt: null, tags: {} },
    ];
    expect(nameCleared({ projects: [{ name: "a", settings, keys }] })).toEqual({
      projects: [
        {
          name: "a",
          settings,
          clearedSettings: ["disabled_optimizations", "aliases"],
          keys: [
            { ...keys[0], cleared: ["permissions", "expires_at"] },
            { ...keys[1], cleared: ["expires_at", "tags"] },
          ],
        },
      ],
    });
  });

  it("names the places of limits and of controls that a document takes away, by the names of JSON and of files", () => {
    const document = {
      projects: [
        {
          limits: { usd_per_day: null, usdPerMonth: 5, models: [] },
          eachKey: { usdPerDay: null },
          each_end_user: {},
          keys: [{ name: "ci", limits: { usdPerDay: null } }],
          endUsers: [{ id: "a", limits: { requestsPerMinute: null } }],
          learning: { mode: null, shadow: { share: null, judge: "a" } },
          workloads: [{ model: "a", learning: { excluded_models: [], shadow: null } }],
        },
      ],
      quotas: { installation: { usdTotal: null } },
    };
    expect(nameCleared(document)["cleared"]).toEqual([
      ...["projects[0].limits.usd_per_day", "projects[0].limits.models", "projects[0].each_key.usd_per_day"],
      ...["projects[0].keys[0].limits.usd_per_day", "projects[0].end_users[0].limits.requests_per_minute"],
      ...["projects[0].learning.mode", "projects[0].learning.shadow.share"],
      ...["projects[0].workloads[0].learning.excluded_models", "projects[0].workloads[0].learning.shadow"],
      "quotas.installation.usd_total",
    ]);
  });

  it("leaves alone what is not empty, not there, or no document, and adds to names that are given", () => {
    const document = { projects: [{ name: "a", settings: { bodies: "none" }, keys: [{ name: "ci" }] }, 5], quotas: {} };
    expect(nameCleared(document)).toEqual(document);
    expect(nameCleared({ projects: "none" })).toEqual({ projects: "none" });
    const given = { settings: { aliases: {} }, cleared_settings: ["disabled_optimizations"] };
    expect(nameCleared({ projects: [given] })).toEqual({
      projects: [{ settings: { aliases: {} }, clearedSettings: ["disabled_optimizations", "aliases"] }],
    });
  });
});
