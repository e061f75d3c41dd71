import { describe, expect, it } from "vitest";
import { alertMessage } from "../../src/alerts/message.ts";
import type { AlertRecord } from "../../src/alerts/ports.ts";

const AT = new Date("2026-11-27T10:00:00Z");
const alert = (projectId: string): AlertRecord => ({
  id: "a",
  projectId,
  rule: "error-rate",
  kind: "error-rate",
  subject: "",
  value: 0.5,
  threshold: 0.2,
  summary: "50% of 40 calls failed in 15 minutes",
  openedAt: AT,
  seenAt: AT,
  closedAt: null,
});
const dataOf = (projectIds: readonly string[], dashboardUrl: string | undefined) =>
  alertMessage("alert.opened", projectIds.map(alert), { names: new Map(), now: AT, dashboardUrl }).data;

describe("alertMessage()", () => {
  it.each([
    ["of their project", ["p"], "https://a.example/dashboard/projects/p/alerts"],
    ["of whichever project is looked at, for those of several", ["p", "q"], "https://a.example/dashboard/alerts"],
    ["of whichever project is looked at, for those of none", [""], "https://a.example/dashboard/alerts"],
  ])("leads to the page of alerts %s", (_which, projectIds, url) => {
    const data = dataOf(projectIds, "https://a.example/dashboard");
    expect(data["url"]).toBe(url);
    expect(data.text.split("\n").at(-1)).toBe(url);
    expect(data.title).not.toContain("https:");
  });

  it("has no link where nobody has configured where the dashboard is", () => {
    expect(JSON.parse(JSON.stringify(dataOf(["p"], undefined)))).not.toHaveProperty("url");
    expect(dataOf(["p"], undefined).text).toBe("Alert: Error rate, project p: 50% of 40 calls failed in 15 minutes");
  });
});
