import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import type { Caller } from "../dashboard/caller.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { createPeople } from "../dashboard/people.ts";

/**
 * The JSON request and the procedure of an operation, with the members of each. `$` stands for the odd value; P, K and R
 * for a project, a key of it and a revoked one; S, D and V for a key, a destination and an invitation of another project.
 */
type Field = readonly [odd: readonly unknown[], wire: string, call: string];

const LONG = "x".repeat(4001);
const NAMES = ["", " ", "x".repeat(101), LONG, " a\u0001 ", "a\ud800b", "a\u0000b"];
const NIL = "00000000-0000-0000-0000-000000000000";
const UNKNOWN = "00000000-0000-7000-8000-000000000000";
const NO_IDS = ["x", "S", "a\u0000b", "a\u0001", LONG];
const IDS = [...NO_IDS, NIL, UNKNOWN, "D", "V"];
const KEYS = ["x", "2b7c0d1e9f3a", "S", "A b", "a\u0000b", LONG];
const NUMBERS = [-1, 1e15, 2 ** 31, 1.5, -0.5];

const RULES = "POST projects/P/alert-rules name=mine kind=error-rate threshold=0.5";
const RULE = `alerts.setRule ${["name=mine", "kind=error-rate", "threshold=0.5", "windowMinutes=5", "minCalls=3", "isEnabled=true"].map((member) => `rule.${member}`).join(" ")}`;
const TARGETS = "POST projects/P/alert-destinations kind=webhook target=https://1.1.1.1/hook";
const TARGET = "alerts.addDestination destination.kind=webhook destination.target=https://1.1.1.1/hook";
const WORKLOAD = "PATCH projects/P/workloads model=gpt-6-astra";
const CONTROLS = "learning.setControls model=gpt-6-astra";
const IMPROVEMENT = "POST projects/P/workloads/gpt-6-astra/improvement max_usd=1";
const IMPROVE = "improvements.request model=gpt-6-astra mostUsd=1";

const FIELDS: Readonly<Record<string, Field>> = {
  "key name": [NAMES, "POST keys project=P name=$", "keys.create name=$"],
  "key limit": [
    NUMBERS,
    "POST keys project=P limits.requests_per_minute=$",
    "keys.create name= limits.requestsPerMinute=$",
  ],
  "key model": [NAMES, "POST keys project=P limits.models.0=$", "keys.create name= limits.models.0=$"],
  "new key name": [[...NAMES, " ok "], "PATCH keys/K name=$", "keys.update publicId=K name=$"],
  "revoked key's name": [["a"], "PATCH keys/R name=$", "keys.update publicId=R name=$"],
  "revoked key's secret": [["R"], "POST keys/$/rotate", "keys.rotate publicId=$ overlapHours=1"],
  "updated key": [KEYS, "PATCH keys/$ name=a", "keys.update publicId=$ name=a"],
  "rotated key": [KEYS, "POST keys/$/rotate", "keys.rotate publicId=$ overlapHours=1"],
  "revoked key": [KEYS, "DELETE keys/$", "keys.revoke publicId=$"],
  "project name": [NAMES, "POST projects name=$", "projects.create name=$"],
  "new project name": [[...NAMES, "default"], "PATCH projects/P name=$", "projects.rename name=$"],
  "model of an alias": [
    NAMES,
    "PATCH projects/P settings.aliases.fast=$",
    "projectSettings.setAlias name=fast model=$",
  ],
  "invited address": [NAMES, "POST projects/P/invitations role=viewer email=$", "members.invite role=viewer email=$"],
  "revoked invitation": [IDS, "DELETE projects/P/invitations/$", "members.revokeInvitation invitationId=$"],
  "member with a role": [IDS, "POST projects/P/members/$ role=viewer", "members.setRole userId=$ role=viewer"],
  "removed member": [IDS, "DELETE projects/P/members/$", "members.remove userId=$"],
  "rule name": [NAMES, `${RULES} name=$`, `${RULE} rule.name=$`],
  "rule kind": [NAMES, `${RULES} kind=$`, `${RULE} rule.kind=$`],
  "rule threshold": [NUMBERS, `${RULES} threshold=$`, `${RULE} rule.threshold=$`],
  "rule window": [NUMBERS, `${RULES} window_minutes=$`, `${RULE} rule.windowMinutes=$`],
  "rule calls": [NUMBERS, `${RULES} min_calls=$`, `${RULE} rule.minCalls=$`],
  "removed rule": [NAMES, "DELETE projects/P/alert-rules/$", "alerts.removeRule name=$"],
  "destination name": [NAMES, `${TARGETS} name=$`, `${TARGET} destination.name=$`],
  "destination target": [NAMES, `${TARGETS} name=a target=$`, `${TARGET} destination.name=a destination.target=$`],
  "removed destination": [IDS, "DELETE projects/P/alert-destinations/$", "alerts.removeDestination id=$"],
  "tested destination": [IDS, "POST projects/P/alert-destinations/$/test", "alerts.testDestination id=$"],
  "limited end user": [
    NAMES.slice(1),
    "POST quotas/end_user project=P name=$",
    "quotas.set owner.kind=endUser owner.name=$ settings={}",
  ],
  "limited tag": [NAMES, "POST quotas/tag project=P name=$", "quotas.set owner.kind=tag owner.name=$ settings={}"],
  "limited key": [KEYS, "POST quotas/key project=P name=$", "quotas.set owner.kind=key owner.name=$ settings={}"],
  limit: [
    NUMBERS,
    "POST quotas/tag project=P name=a=b limits.concurrent_calls=$",
    "quotas.set owner.kind=tag owner.name=a=b settings.concurrentCalls=$",
  ],
  "end user": [NAMES, "DELETE projects/P/end-users/$", "endUsers.delete endUserId=$"],
  "removed feedback": [NO_IDS, "DELETE projects/P/feedback?id=$", "feedback.remove id=$"],
  "judged pair": [IDS, "POST projects/P/pairs/$ verdict=both", "learning.judgePair pairId=$ first=true second=true"],
  "reset workload": [NAMES, "POST projects/P/workloads/$/reset", "learning.reset model=$"],
  "controlled workload": [NAMES.slice(1), `${WORKLOAD} mode=on model=$`, `${CONTROLS} mode=on model=$`],
  judge: [NAMES, `${WORKLOAD} shadow.judge=$`, `${CONTROLS} shadowJudge=$`],
  rubric: [[LONG, " ", "a\ud800b", "a\u0000b"], `${WORKLOAD} shadow.rubric=$`, `${CONTROLS} shadowRubric=$`],
  "excluded model": [NAMES, `${WORKLOAD} excluded_models.0=$`, `${CONTROLS} excluded.0=$`],
  "share of trials": [NUMBERS, `${WORKLOAD} shadow.share=$`, `${CONTROLS} shadowShare=$`],
  metric: [NAMES, `${WORKLOAD} metrics.0.name=$ metrics.0.weight=1`, `${CONTROLS} metrics.0.name=$ metrics.0.weight=1`],
  "metric weight": [
    NUMBERS,
    `${WORKLOAD} metrics.0.name=a metrics.0.weight=$`,
    `${CONTROLS} metrics.0.name=a metrics.0.weight=$`,
  ],
  "improved workload": [NAMES, "POST projects/P/workloads/$/improvement max_usd=1", `${IMPROVE} model=$`],
  "improvement budget": [NUMBERS, `${IMPROVEMENT} max_usd=$`, `${IMPROVE} mostUsd=$`],
  "improvement calls": [NUMBERS, `${IMPROVEMENT} max_calls=$`, `${IMPROVE} mostCalls=$`],
  "asked model": [NAMES, `${IMPROVEMENT} models.0=$`, `${IMPROVE} models.0=$`],
};

/** The commands of operations, with the odd value as `$`. */
const COMMANDS: Readonly<Record<string, string>> = {
  "key name": "keys create --project=P --name=$",
  "key limit": "keys create --project=P --rpm=$",
  "new key name": "keys update K --name=$",
  "revoked key's name": "keys update R --name=$",
  "revoked key's secret": "keys rotate $",
  "updated key": "keys update $ --name=a",
  "rotated key": "keys rotate $",
  "revoked key": "keys revoke $",
  "project name": "projects create $",
  "model of an alias": "projects settings P --alias=fast=$",
  "invited address": "users invite $ --role=viewer --project=P",
  "rule name": "alerts set-rule $ --kind=error-rate --threshold=0.5 --project=P",
  "rule kind": "alerts set-rule mine --threshold=0.5 --project=P --kind=$",
  "rule threshold": "alerts set-rule mine --kind=error-rate --project=P --threshold=$",
  "rule window": "alerts set-rule mine --kind=error-rate --threshold=0.5 --project=P --window=$",
  "rule calls": "alerts set-rule mine --kind=error-rate --threshold=0.5 --project=P --min-calls=$",
  "removed rule": "alerts remove-rule $ --project=P",
  "destination name": "alerts add-destination $ --webhook=https://1.1.1.1/hook --project=P",
  "destination target": "alerts add-destination a --project=P --webhook=$",
  "removed destination": "alerts remove-destination $ --project=P",
  "limited end user": "end-users update $ --rpm=5 --project=P",
  "limited tag": "quotas set --rpm=5 --project=P --tag=$",
  "limited key": "quotas set --rpm=5 --project=P --key=$",
  limit: "quotas set --tag=a=b --project=P --concurrent=$",
  "end user": "end-users delete $ --yes --project=P",
  "reset workload": "workloads reset $ --project=P",
  "controlled workload": "workloads mode on --project=P --model=$",
  judge: "workloads set --model=gpt-6-astra --project=P --judge=$",
  rubric: "workloads set --model=gpt-6-astra --project=P --rubric=$",
  "excluded model": "workloads exclude $ --model=gpt-6-astra --project=P",
  "share of trials": "workloads set --model=gpt-6-astra --project=P --shadow=$",
  metric: "workloads metric $ --weight=1 --model=gpt-6-astra --project=P",
  "metric weight": "workloads metric a --model=gpt-6-astra --project=P --weight=$",
  "improved workload": "improve $ --usd=1 --project=P --no-wait",
  "improvement budget": "improve gpt-6-astra --project=P --no-wait --usd=$",
  "improvement calls": "improve gpt-6-astra --usd=1 --project=P --no-wait --calls=$",
  "asked model": "improve gpt-6-astra --usd=1 --project=P --no-wait --ask=$",
};

describe("an odd input", () => {
  let service: DashboardService;
  let owner: Caller;
  const admins = { ofProject: "", ofAll: "" };
  const names = new Map<string, string>();

  beforeAll(async () => {
    service = await startDashboardService();
    const { byRole, projectId } = await createPeople(service);
    owner = byRole.owner;
    const settings = { name: "test", scopes: ADMIN_SCOPES, expiresAt: null };
    admins.ofProject = (await createAdminKey(service.store, { ...settings, projectId })).key;
    admins.ofAll = (await createAdminKey(service.store, { ...settings, projectId: undefined })).key;
    const projects = { P: projectId, K: projectId, R: projectId, S: DEFAULT_PROJECT.id };
    for (const [name, project] of Object.entries(projects)) {
      const key = await createKey(service.store, { projectId: project, name });
      names.set(name, name === "P" ? projectId : key.info.publicId);
    }
    await owner.mutate("keys.revoke", { projectId, publicId: names.get("R") });
    const others = [
      TARGETS.replace("P/", "default/"),
      "POST projects/default/invitations email=a@b.example role=viewer",
    ];
    const [destination, invitation] = await Promise.all(others.map((wire) => callJson(`${wire} name=other`, "", true)));
    names.set("D", destination?.body.id ?? "").set("V", invitation?.body.id ?? "");
  });
  afterAll(() => service.close());

  const nameOf = (text: string): string => names.get(text) ?? text;

  /** Returns members that are written as `limits.models.0=$`. */
  function toMembers(written: readonly string[], odd: unknown): object {
    const members: Record<string, unknown> = {};
    for (const one of written) {
      const [path = "", ...rest] = one.split("=");
      const [text, steps] = [rest.join("="), path.split(".")];
      const value = text === "$" ? odd : /^(?:[\d.]+|true|\{\})$/.test(text) ? JSON.parse(text) : nameOf(text);
      steps.reduce<Record<string, unknown>>((within, step, at) => {
        within[step] = at === steps.length - 1 ? value : (within[step] ?? (steps[at + 1] === "0" ? [] : {}));
        return within[step] as Record<string, unknown>;
      }, members);
    }
    return members;
  }

  async function callJson(wire: string, odd: unknown, ofAll = false) {
    const [verb = "", path = "", ...members] = wire.split(" ");
    const place = path.replace(/(?<=\/)[PKR](?=\/|$)/, nameOf).replace("$", () => encodeURIComponent(String(odd)));
    const admin = ofAll || path === "projects" ? admins.ofAll : admins.ofProject;
    const headers = { authorization: `Bearer ${admin}`, "content-type": "application/json" };
    const body = verb === "DELETE" ? {} : { body: JSON.stringify(toMembers(members, odd)) };
    const response = await fetch(`${service.url}/v1/admin/${place}`, { method: verb, headers, ...body });
    const text = await response.text();
    return {
      status: response.status,
      body: (text === "" ? {} : JSON.parse(text)) as { id?: string; error?: { message: string } },
    };
  }

  /** The status, whether a field is named, and the words: the name of the field is that of each door. */
  function toAnswer(status: number, message = "") {
    const words = message.replace(/^[a-zA-Z_.[\]\d]+: /, "");
    return { status, isPlaced: words !== message, words };
  }

  it.each(Object.entries(FIELDS))(
    "is told the same over JSON and on the dashboard: %s",
    async (_, [odds, wire, call]) => {
      const [procedure = "", ...members] = call.split(" ");
      for (const given of odds) {
        const odd = typeof given === "string" ? nameOf(given) : given;
        // An address holds neither.
        if (wire.split(" ")[1]?.includes("$") && (odd === "" || !String(odd).isWellFormed())) continue;
        const { status, body } = await callJson(wire, odd);
        const told = await owner.mutate(procedure, { projectId: names.get("P"), ...toMembers(members, odd) });
        expect({ odd, ...toAnswer(told.status, told.error?.message) }).toEqual({
          odd,
          ...toAnswer(status, body.error?.message),
        });
        expect(status).toBeLessThan(500);
      }
    },
  );

  /** Runs a command of the service; tells whether it went through, and what it complained of. */
  async function runCommand(command: string, odd: string, ofAll: boolean) {
    let complained = "";
    vi.stubEnv("ATTUNE_ADMIN_KEY", ofAll ? admins.ofAll : admins.ofProject);
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      complained += String(text);
      return true;
    });
    vi.spyOn(process, "exit").mockImplementation((status) => {
      throw new Error(`exit ${status}`);
    });
    const args = command.split(" ").map((arg) => arg.replace(/(?<==|^)[PKR]$/, nameOf).replace("$", () => odd));
    const isAccepted = await createProgram()
      .parseAsync([...args, "--url", service.url], { from: "user" })
      .then(
        () => true,
        (thrown: Error) => {
          if (thrown.message !== "exit 1") throw thrown;
          return false;
        },
      )
      .finally(() => {
        vi.restoreAllMocks();
        vi.unstubAllEnvs();
      });
    return { isAccepted, complained };
  }

  it.each(Object.entries(COMMANDS))("is told the same by a command as over JSON: %s", async (field, command) => {
    const [odds, wire] = FIELDS[field] ?? [[], ""];
    const [parameter = ""] = command.split(" ").filter((arg) => arg.endsWith("$"));
    for (const given of odds) {
      const odd = String(typeof given === "string" ? nameOf(given) : given);
      // No argument of a process holds these, and an empty one stands for none.
      if (odd === "" || odd.includes("\0") || !odd.isWellFormed()) continue;
      const ofAll = command.startsWith("projects create");
      const { status, body } = await callJson(wire, typeof given === "number" ? given : odd, ofAll);
      const { isAccepted, complained } = await runCommand(command, odd, ofAll);
      expect({ odd, isAccepted }).toEqual({ odd, isAccepted: status < 400 });
      if (isAccepted) continue;
      const { words } = toAnswer(status, body.error?.message);
      const isOfCommand = / is invalid\. |: there is no [a-z ]+ '/.test(complained);
      expect(isOfCommand || complained.includes(words), `${odd}: ${complained} (${words})`).toBe(true);
      const option = parameter.startsWith("--") ? parameter.slice(0, parameter.indexOf("=")) : "<";
      if (status === 400 && !complained.includes(": there is no ")) expect(complained).toContain(option);
    }
  });

  it("names a member of an object that JSON does not have", async () => {
    const { status, body } = await callJson("POST quotas/tag project=P name=a=b limits.tokens_per_day=1", "");
    const problem = "limits.tokens_per_day: is not known here; there are requests_per_minute, ";
    expect([status, body.error?.message.slice(0, problem.length)]).toEqual([400, problem]);
  });
});
