import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT_KINDS } from "../../src/alerts/check-rule.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import type { Caller } from "../dashboard/caller.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { createPeople } from "../dashboard/people.ts";

/** A request of the JSON door: verb, path below /v1/admin, where PROJECT is the id of the project, and body. */
type Wire = readonly [verb: string, path: string, body?: object];

/** A call of a procedure of the dashboard, without the project. */
type Call = readonly [procedure: string, input: object];

/** A refusal in the same words at both doors: `place` is the field at each, where it is about one. */
type Row = readonly [
  wire: Wire,
  call: Call,
  status: number,
  place: readonly [json: string, dashboard: string] | "",
  problem: string,
];

const LONG = "x".repeat(101);
const NAME_LENGTH = "must have 1 to 100 characters";
const HIDDEN = "must not have control characters, nor characters that change the direction of text; it has U+202E";
const HALF = "holds half of a surrogate pair, which isn't a character";
const LIKE_ID = "must not be an id, nor have the form of one: give a name";
const NO_MODEL = "names 'gpt', which isn't in the catalog: GET /v1/models lists them";
const NOBODY = "00000000-0000-7000-8000-000000000000";
const RULE = { name: "mine", kind: "error-rate", threshold: 0.5, windowMinutes: 5, minCalls: 3, isEnabled: true };
const WIRE_RULE = { name: "mine", kind: "error-rate", threshold: 0.5, window_minutes: 5, min_calls: 3 };
const NAME_PROBLEM = "must have 1 to 64 letters, digits, '.', '-' and '_', and begin with a letter or a digit";

/** Sets a rule that is wrong in one thing. */
function wrongRule(change: object, wire = change): readonly [Wire, Call] {
  const path = "/projects/PROJECT/alert-rules";
  return [
    ["POST", path, { ...WIRE_RULE, ...wire }],
    ["alerts.setRule", { rule: { ...RULE, ...change } }],
  ];
}

function wrongDestination(change: object): readonly [Wire, Call] {
  const destination = { name: "ops", kind: "webhook", target: "https://1.1.1.1/hook", ...change };
  const path = "/projects/PROJECT/alert-destinations";
  return [
    ["POST", path, destination],
    ["alerts.addDestination", { destination }],
  ];
}

const ROWS: Readonly<Record<string, Row>> = {
  "an invitation to no address": [
    ["POST", "/projects/PROJECT/invitations", { email: "nobody", role: "viewer" }],
    ["members.invite", { email: "nobody", role: "viewer" }],
    400,
    ["email", "email"],
    "must be a valid email address",
  ],
  "an invitation that is not there": [
    ["DELETE", `/projects/PROJECT/invitations/${NOBODY}`],
    ["members.revokeInvitation", { invitationId: NOBODY }],
    404,
    ["id", "id"],
    "there is no such invitation",
  ],
  "a role of nobody": [
    ["POST", `/projects/PROJECT/members/${NOBODY}`, { role: "viewer" }],
    ["members.setRole", { userId: NOBODY, role: "viewer" }],
    404,
    ["member", "member"],
    "there is no such member of the project",
  ],
  "nobody as a member who goes": [
    ["DELETE", `/projects/PROJECT/members/${NOBODY}`],
    ["members.remove", { userId: NOBODY }],
    404,
    ["member", "member"],
    "there is no such member of the project",
  ],
  "a key with a long name": [
    ["POST", "/keys", { project: "PROJECT", name: LONG }],
    ["keys.create", { name: LONG }],
    400,
    ["name", "name"],
    NAME_LENGTH,
  ],
  "a key with a name that hides something": [
    ["POST", "/keys", { project: "PROJECT", name: "a\u202eb" }],
    ["keys.create", { name: "a\u202eb" }],
    400,
    ["name", "name"],
    HIDDEN,
  ],
  "a key with half a character in its name": [
    ["POST", "/keys", { project: "PROJECT", name: "a\ud800b" }],
    ["keys.create", { name: "a\ud800b" }],
    400,
    ["name", "name"],
    HALF,
  ],
  "a key with half a character in a tag": [
    ["POST", "/keys", { project: "PROJECT", name: "one", tags: { team: "a\ud800b" } }],
    ["keys.create", { name: "one", tags: [{ name: "team", value: "a\ud800b" }] }],
    400,
    ["tags.team", "tags.team"],
    HALF,
  ],
  "a key that has ended before it begins": [
    ["POST", "/keys", { project: "PROJECT", name: "old", expires_at: "2020-01-01T00:00:00Z" }],
    ["keys.create", { name: "old", expiresAt: "2020-01-01T00:00:00Z" }],
    400,
    ["expires_at", "expiresAt"],
    "must be in the future: revoke the key to end it immediately",
  ],
  "a key for a model that is not there": [
    ["POST", "/keys", { project: "PROJECT", name: "one", limits: { models: ["gpt"] } }],
    ["keys.create", { name: "one", limits: { models: ["gpt"] } }],
    400,
    ["limits.models[0]", "limits.models[0]"],
    NO_MODEL,
  ],
  "a key that calls too much": [
    ["POST", "/keys", { project: "PROJECT", name: "one", limits: { usd_per_day: 1_000_001 } }],
    ["keys.create", { name: "one", limits: { costNanosPerDay: 1_000_001e9 } }],
    400,
    ["limits.usd_per_day", "limits.costNanosPerDay"],
    "must be from 0 to 1000000",
  ],
  "a change of a key that is not there": [
    ["PATCH", "/keys/2b7c0d1e9f3a", { name: "b" }],
    ["keys.update", { publicId: "2b7c0d1e9f3a", name: "b" }],
    404,
    ["id", "publicId"],
    "there is no such key",
  ],
  "a secret that works on for too long": [
    ["POST", "/keys/2b7c0d1e9f3a/rotate", { overlap: `${721 * 3600}s` }],
    ["keys.rotate", { publicId: "2b7c0d1e9f3a", overlapHours: 721 }],
    400,
    ["overlap", "overlapHours"],
    "must be from 0s to 2592000s",
  ],
  "a revocation of a key that is not there": [
    ["DELETE", "/keys/2b7c0d1e9f3a"],
    ["keys.revoke", { publicId: "2b7c0d1e9f3a" }],
    404,
    ["id", "publicId"],
    "there is no such key",
  ],
  "limits of a tag without a value": [
    ["POST", "/quotas/tag", { project: "PROJECT", name: "team", limits: {} }],
    ["quotas.set", { owner: { kind: "tag", name: "team" }, settings: {} }],
    400,
    ["name", "owner.name"],
    "must be a name and a value, such as team=search",
  ],
  "limits of a key that is not there": [
    ["POST", "/quotas/key", { project: "PROJECT", name: "2b7c0d1e9f3a", limits: {} }],
    ["quotas.set", { owner: { kind: "key", name: "2b7c0d1e9f3a" }, settings: {} }],
    404,
    ["id", "owner.name"],
    "there is no such key",
  ],
  "a project without a name": [
    ["PATCH", "/projects/PROJECT", { name: " " }],
    ["projects.rename", { name: " " }],
    400,
    ["name", "name"],
    NAME_LENGTH,
  ],
  "a project with a name like an id": [
    ["POST", "/projects", { name: NOBODY }],
    ["projects.create", { name: NOBODY }],
    400,
    ["name", "name"],
    LIKE_ID,
  ],
  "a project that gets a name like an id": [
    ["PATCH", "/projects/PROJECT", { name: NOBODY }],
    ["projects.rename", { name: NOBODY }],
    400,
    ["name", "name"],
    LIKE_ID,
  ],
  "the name of another project": [
    ["PATCH", "/projects/PROJECT", { name: "default" }],
    ["projects.rename", { name: "default" }],
    409,
    ["name", "name"],
    "is the name of another project",
  ],
  "an alias of no model": [
    ["PATCH", "/projects/PROJECT", { settings: { aliases: { fast: "no-such" } } }],
    ["projectSettings.setAlias", { name: "fast", model: "no-such" }],
    400,
    ["settings.aliases.fast", "model"],
    "isn't in the catalog: GET /v1/models lists them",
  ],
  "an alias that is the name of a model": [
    ["PATCH", "/projects/PROJECT", { settings: { aliases: { "gpt-6-astra": "gpt-6-astra" } } }],
    ["projectSettings.setAlias", { name: "gpt-6-astra", model: "gpt-6-astra" }],
    400,
    ["settings.aliases", "name"],
    "has 'gpt-6-astra', which is a name that the catalog has for every project: choose another name",
  ],
  "the data of an end user without an id": [
    ["DELETE", `/projects/PROJECT/end-users/${"x".repeat(257)}`],
    ["endUsers.delete", { endUserId: "x".repeat(257) }],
    400,
    ["id", "endUserId"],
    "must have 1 to 256 characters",
  ],
  "a workload that begins anew without anything": [
    ["POST", "/projects/PROJECT/workloads/gpt-6-astra/reset", {}],
    ["learning.reset", { model: "gpt-6-astra" }],
    404,
    "",
    "nothing was learned of the workload 'gpt-6-astra'",
  ],
  "a verdict on a pair that is not there": [
    ["POST", `/projects/PROJECT/pairs/${NOBODY}`, { verdict: "both" }],
    ["learning.judgePair", { pairId: NOBODY, first: true, second: true }],
    404,
    ["pair_id", "pairId"],
    "there is no such pair that nobody has judged",
  ],
  "an improvement without a judge": [
    ["POST", "/projects/PROJECT/workloads/gpt-6-astra/improvement", { max_usd: 1 }],
    ["improvements.request", { model: "gpt-6-astra", mostUsd: 1 }],
    409,
    ["model", "model"],
    "has no judge, which has to grade the answers: set one for the workload first",
  ],
  "an improvement of too many calls": [
    ["POST", "/projects/PROJECT/workloads/gpt-6-astra/improvement", { max_usd: 1, max_calls: 1001 }],
    ["improvements.request", { model: "gpt-6-astra", mostUsd: 1, mostCalls: 1001 }],
    400,
    ["max_calls", "mostCalls"],
    "must be from 1 to 1000",
  ],
  "settings of a model that is not there": [
    ["PATCH", "/projects/PROJECT/workloads", { model: "no-model", mode: "on" }],
    ["learning.setControls", { model: "no-model", mode: "on" }],
    404,
    "",
    "the model 'no-model' does not exist",
  ],
  "a judge that is not there": [
    ["PATCH", "/projects/PROJECT/workloads", { all_workloads: true, shadow: { judge: "no-model" } }],
    ["learning.setControls", { model: "", shadowJudge: "no-model" }],
    400,
    ["shadow.judge", "shadowJudge"],
    "isn't in the catalog: GET /v1/models lists them",
  ],
  "a second judge that is the judge": [
    [
      "PATCH",
      "/projects/PROJECT/workloads",
      { all_workloads: true, shadow: { judge: "gpt-6-astra", second_judge: "gpt-6-astra" } },
    ],
    ["learning.setControls", { model: "", shadowJudge: "gpt-6-astra", shadowSecondJudge: "gpt-6-astra" }],
    400,
    ["shadow.second_judge", "shadowSecondJudge"],
    "is the judge already: name another model",
  ],
  "a pinned model without the hold": [
    ["PATCH", "/projects/PROJECT/workloads", { all_workloads: true, hold: "frozen", pinned_model: "gpt-6-astra" }],
    ["learning.setControls", { model: "", hold: "frozen", pinned: "gpt-6-astra" }],
    400,
    ["pinned_model", "pinned"],
    "goes with HOLD_PINNED: set hold to that",
  ],
  "settings of a metric of a model that is not there": [
    ["PATCH", "/projects/PROJECT/workloads", { model: "no-model", metrics: [{ name: "ok", weight: 1 }] }],
    ["learning.setControls", { model: "no-model", metrics: [{ name: "ok", weight: 1 }] }],
    404,
    "",
    "the model 'no-model' does not exist",
  ],
  "settings of a metric twice": [
    ["PATCH", "/projects/PROJECT/workloads", { all_workloads: true, metrics: [{ name: "ok" }, { name: "ok" }] }],
    ["learning.setControls", { model: "", metrics: [{ name: "ok" }, { name: "ok" }] }],
    400,
    ["metrics[1]", "metrics[1]"],
    "is set twice: set it once",
  ],
  "a metric that weighs too much": [
    ["PATCH", "/projects/PROJECT/workloads", { all_workloads: true, metrics: [{ name: "ok", weight: 2 }] }],
    ["learning.setControls", { model: "", metrics: [{ name: "ok", weight: 2 }] }],
    400,
    ["metrics[0].weight", "metrics[0].weight"],
    "must be from 0 to 1",
  ],
  "a rule without a name": [...wrongRule({ name: "" }), 400, ["name", "rule.name"], NAME_PROBLEM],
  "a rule of no kind": [
    ...wrongRule({ kind: "rain" }),
    400,
    ["kind", "rule.kind"],
    `must be ${PROJECT_KINDS.join(", ")}`,
  ],
  "a rule of another kind": [
    ...wrongRule({ name: "latency" }),
    409,
    ["kind", "rule.kind"],
    "must be latency, as of the rule of this name",
  ],
  "a rule of a longer window": [
    ...wrongRule({ windowMinutes: 61 }, { window_minutes: 61 }),
    400,
    ["window_minutes", "rule.windowMinutes"],
    "must be 60 at most",
  ],
  "a rule that looks at too much": [
    ...wrongRule({ minCalls: 2_000_000 }, { min_calls: 2_000_000 }),
    400,
    ["min_calls", "rule.minCalls"],
    "must be from 0 to 1000000",
  ],
  "a share above 1": [
    ...wrongRule({ threshold: 2 }),
    400,
    ["threshold", "rule.threshold"],
    "must be a share from 0 to 1 for error-rate: 0.1 is 10%",
  ],
  "a rule that is not there": [
    ["DELETE", "/projects/PROJECT/alert-rules/mine"],
    ["alerts.removeRule", { name: "mine" }],
    404,
    ["name", "name"],
    "there is no such rule of the project's own",
  ],
  "a destination of no address": [
    ...wrongDestination({ target: "nowhere" }),
    400,
    ["target", "destination.target"],
    "must be an http or https address",
  ],
  "a destination within the network": [
    ...wrongDestination({ target: "http://10.0.0.1/hook" }),
    400,
    ["target", "destination.target"],
    "10.0.0.1 is not an address of the internet; alerts.allowPrivateAddresses of attune.yaml allows it",
  ],
  "mail without a server": [
    ...wrongDestination({ kind: "email", target: "ops@example.com" }),
    400,
    ["kind", "destination.kind"],
    "cannot be email: alerts.smtp of attune.yaml names no server",
  ],
  "a destination that is not there": [
    ["DELETE", `/projects/PROJECT/alert-destinations/${NOBODY}`],
    ["alerts.removeDestination", { id: NOBODY }],
    404,
    ["id", "id"],
    "there is no such destination",
  ],
  "a test of a destination that is not there": [
    ["POST", `/projects/PROJECT/alert-destinations/${NOBODY}/test`, {}],
    ["alerts.testDestination", { id: NOBODY }],
    404,
    ["id", "id"],
    "there is no such destination",
  ],
};

describe("an operation that is refused", () => {
  let service: DashboardService;
  let owner: Caller;
  let projectId = "";
  let key = "";

  beforeAll(async () => {
    service = await startDashboardService();
    const people = await createPeople(service);
    [owner, projectId] = [people.byRole.owner, people.projectId];
    const settings = { name: "test", scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null };
    key = (await createAdminKey(service.store, settings)).key;
  });
  afterAll(() => service.close());

  async function callJson([verb, path, body]: Wire): Promise<unknown> {
    const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) };
    const address = `${service.url}/v1/admin${path.replace("PROJECT", projectId)}`;
    const init = { method: verb, headers, ...(body && { body: JSON.stringify(body).replace("PROJECT", projectId) }) };
    const response = await fetch(address, init);
    const { error } = (await response.json()) as { error?: { message: string } };
    return [response.status, error?.message];
  }

  it.each(Object.entries(ROWS))("says the same as JSON and on the dashboard: %s", async (_, row) => {
    const [wire, [procedure, input], status, place, problem] = row;
    const [json, dashboard] = place === "" ? ["", ""] : [`${place[0]}: `, `${place[1]}: `];
    expect(await callJson(wire)).toEqual([status, `${json}${problem}`]);
    const { status: told, error } = await owner.mutate(procedure, { projectId, ...input });
    expect([told, error?.message]).toEqual([status, `${dashboard}${problem}`]);
    if (place !== "") expect(error?.data.fields).toEqual({ [place[1]]: problem });
  });
});
