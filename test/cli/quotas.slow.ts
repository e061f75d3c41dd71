import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

let folder: CliFolder;

beforeAll(() => {
  folder = createCliFolder();
});

afterAll(() => folder.remove());

async function print(command: string): Promise<string> {
  const { status, stdout, stderr } = await folder.run(command.split(" "));
  expect([status, stderr.replace("Save it: it isn't shown again.\n", "")]).toEqual([0, ""]);
  return stdout.trimEnd();
}

async function complaint(command: string): Promise<string> {
  const { status, stdout, stderr } = await folder.run(command.split(" "));
  expect([status, stdout]).toEqual([1, ""]);
  return stderr.trimEnd();
}

describe("attune quotas", () => {
  it("sets limits of keys, projects, end users, tags and the installation, lists them, and takes them away", async () => {
    const key = (await print("keys create --rpm 60 --usd-day 1.5 --models attune/gpt-6-astra")).split("_")[1] ?? "";
    expect(await print(`keys update ${key} --rpm none --concurrent 3`)).toBe(
      `key ${key}: concurrent=3 usd-day=1.5 models=gpt-6-astra`,
    );
    expect(await print("keys list")).toContain("concurrent=3 usd-day=1.5 models=gpt-6-astra");
    const projectId = await print("projects create search --usd-month 100");
    expect(await print("projects update search --each end-user --usd-day 1")).toBe("each end user: usd-day=1");
    expect(await print("end-users update ada --project search --usd-day 2")).toBe("end user ada: usd-day=2");
    expect(await print("quotas set --tag team=search --rpm 5")).toBe("tag team=search: rpm=5");
    expect(await print("quotas set --installation --usd-total 1000")).toBe("installation: usd-total=1000");
    const rows = (await print("quotas list")).split("\n").map((line) => line.split(/ {2,}/));
    expect(rows).toEqual([
      ["PROJECT", "OWNER", "LIMITS"],
      ["search", "each end user", "usd-day=1"],
      ["search", "end user ada", "usd-day=2"],
      ["-", "installation", "usd-total=1000"],
      ["default", `key ${key}`, "concurrent=3 usd-day=1.5 models=gpt-6-astra"],
      ["search", "project", "usd-month=100"],
      ["default", "tag team=search", "rpm=5"],
    ]);
    expect(JSON.parse(await print("end-users list --json"))).toEqual({
      data: [
        { kind: "endUser", projectId, name: "", limits: { usdPerDay: 1 } },
        { kind: "endUser", projectId, name: "ada", limits: { usdPerDay: 2 } },
      ],
    });
    expect(JSON.parse(await print("projects list --json"))).toMatchObject({
      data: [
        { name: "default", limits: {} },
        { name: "search", limits: { usdPerMonth: 100 } },
      ],
    });
    expect(await print("quotas clear --tag team=search")).toBe("tag team=search: no limits");
    expect(await print("quotas list --project default")).not.toContain("team=search");
  });

  it("names what is wrong", async () => {
    expect(await complaint("quotas set --installation --rpm 1 --models gpt,b")).toBe(
      "attune: --models: names 'gpt', which isn't in the catalog: GET /v1/models lists them",
    );
    expect(await complaint("keys create --models gpt")).toContain("names 'gpt', which isn't in the catalog");
    expect(await complaint("keys update nobody --rpm 1")).toBe(
      "attune: there is no key 'nobody': 'attune keys list' lists them",
    );
    expect(await complaint("quotas set --installation")).toBe(
      "attune: there is nothing to set: give a limit, such as --rpm 60",
    );
    const owners = "error: give one of --installation, --project, --key, --end-user, --tag and --each";
    expect(await complaint("quotas clear")).toContain(owners);
    expect(await complaint("quotas clear --installation --key x")).toContain(owners);
    expect(await complaint("quotas clear --installation --project default")).toContain("goes without --project");
    expect(await complaint("projects create default")).toBe("attune: there is a project 'default' already");
    expect(await complaint("projects create new --owner a@b.example")).toContain("there is no account 'a@b.example'");
  });
});
