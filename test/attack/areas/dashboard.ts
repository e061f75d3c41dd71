import { dashboardRouter } from "../../../src/dashboard/router.ts";
import { OPEN_PROCEDURES } from "../../../src/vocabulary/permissions.ts";
import { PROCEDURE_INPUTS } from "../../dashboard/procedure-inputs.ts";
import type { Area, Input, Target } from "../area.ts";
import { type Answer, quote } from "../http/answer.ts";
import { ANSWER_MS, Connection, type Exchange, longestMs } from "../http/connection.ts";
import { describeRequest, type Request, writeRequest } from "../http/request.ts";
import { anyMethod, oddHeaders, oddPath } from "../inputs/head.ts";
import { hostileText, hostileValue } from "../inputs/hostile.ts";
import { toJsonText } from "../inputs/json-text.ts";
import { damage, mutate } from "../inputs/mutate.ts";
import { RIGHT_REQUESTS } from "../inputs/requests.ts";
import { findSecrets, isObject, type Problem, parseJson, problem } from "../judge.ts";
import type { Random } from "../random.ts";

/** An export looks through up to 10,000 requests before it says anything; with that, it may go on coming for long. */
const EXPORT_MS = 60_000;

const limitFor = ({ path }: Request): number => (path.startsWith("/dashboard/api/export/") ? EXPORT_MS : ANSWER_MS);

/** The dashboard: every procedure, its batches, the export, the playground and the pages, as each kind of visitor. */
export const dashboardArea: Area = {
  name: "dashboard",
  share: 9,
  lanes: 6,
  limitMs: longestMs(EXPORT_MS) + 5000,
  open(target) {
    const connection = new Connection(target.service.port);
    return {
      make: (random) => toInput(makeRequest(random, target), connection, target),
      close: () => connection.close(),
    };
  },
};

type Header = readonly [name: string, value: string];

const PROCEDURES = Object.keys(dashboardRouter._def.procedures);
/** The procedures that are of no project. */
const OPEN: ReadonlySet<string> = new Set(Object.values(OPEN_PROCEDURES).flat());

/** What ends the sessions of the people who attack, or takes them out of the project: called by nobody who could. */
const ENDINGS = new Set([
  ...["session.signOut", "session.signOutEverywhere", "session.end", "session.changePassword"],
  ...["members.leave", "members.remove", "members.setRole"],
]);

/** Inputs that would be right with a right id, beside those of the table of access. */
const MORE_INPUTS: Readonly<Record<string, object>> = {
  "feedback.notes": { limit: 20 },
  "feedback.entries": { name: "helpful" },
  "history.list": {
    filter: { text: "hello", model: "attune/sand", metric: { name: "helpful", compare: ">", value: 0 } },
    limit: 20,
  },
  "session.signIn": { email: "someone@example.com", password: "a few plain words" },
  "setup.createOwner": { token: "x", email: "someone@example.com", password: "a few plain words" },
  "invitations.open": { token: "x" },
  "invitations.accept": { token: "x", email: "someone@example.com", password: "a few plain words" },
};

function makeRequest(random: Random, target: Target): Request {
  const shape = random.next();
  if (shape < 0.72) return procedureRequest(random, target);
  if (shape < 0.8) return batchRequest(random, target);
  if (shape < 0.82) return exportRequest(random, target);
  if (shape < 0.9) return playgroundRequest(random, target);
  return pageRequest(random, target);
}

function procedureRequest(random: Random, target: Target): Request {
  const name = random.pick(PROCEDURES);
  const input = makeInput(random, name, target);
  const isMutation =
    !/\.(list|open|current|read|figures|names|compare|usage|facets|messages|part|raw|request|exportPlan|entries|example|metric|notes|summary|facts|revoked|invitations|newer|asSent|rows)$/.test(
      name,
    );
  const visitor = visitorFor(random, target, [name]);
  const path = `/dashboard/api/${random.oneIn(30) ? damageName(random, name) : name}`;
  const asMutation = random.oneIn(15) ? !isMutation : isMutation;
  if (!asMutation)
    return {
      method: "GET",
      path: `${path}?input=${encode(random, input)}`,
      headers: [...visitor, ...site(random, false)],
    };
  const large = random.oneIn(300)
    ? Buffer.alloc(random.pick([2 ** 20 - 10, 2 ** 20 + 10, 8 * 2 ** 20]), 0x20)
    : undefined;
  return {
    method: random.oneIn(40) ? anyMethod(random) : "POST",
    path,
    headers: [...visitor, ...site(random, true)],
    body: large ?? Buffer.from(input),
  };
}

/** Text of an input: right, changed, or anything. */
function makeInput(random: Random, name: string, { service, inferenceIds }: Target): string {
  const input = PROCEDURE_INPUTS[name] ?? {};
  const isOfProject = !OPEN.has(name);
  const id = random.pick([
    ...inferenceIds,
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "x",
  ]);
  const named = "id" in input || "inferenceId" in input ? ("id" in input ? { id } : { inferenceId: id }) : {};
  const cursor = random.oneIn(5)
    ? { cursor: random.pick([id, "00000000-0000-0000-0000-000000000000", "x", 0, -1]) }
    : {};
  const right = {
    ...(isOfProject ? { projectId: service.projectId } : {}),
    ...input,
    ...MORE_INPUTS[name],
    ...named,
    ...cursor,
  };
  if (random.oneIn(8)) return toJsonText(hostileValue(random));
  const text = toJsonText(random.oneIn(6) ? right : mutate(random, right));
  return random.oneIn(15) ? damage(random, Buffer.from(text)).toString("latin1") : text;
}

function encode(random: Random, text: string): string {
  // Halves of pairs cannot be encoded.
  return random.oneIn(15)
    ? text.replace(/[^!-~]/g, "").slice(0, 4000)
    : encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
}

function damageName(random: Random, name: string): string {
  return random.pick([
    `${name}.x`,
    name.split(".")[0] ?? "",
    "__proto__",
    "constructor",
    "a.__proto__",
    `${name},${name}`,
    "%00",
    "toString.call",
    ".",
    "",
    `${name}%2e`,
    "_def",
  ]);
}

function visitorFor(random: Random, { service }: Target, names: readonly string[]): Header[] {
  const { cookies } = service;
  if (names.some((name) => ENDINGS.has(name)) || random.oneIn(6)) {
    const cookie = random.pick([
      "",
      "attune_session=",
      "attune_session=x",
      `attune_session=${"x".repeat(4000)}`,
      "attune_session=%00",
      "a=b; attune_session=é",
      "attune_session",
      ";;;=",
      "__proto__=x",
    ]);
    return random.oneIn(2) ? [] : [["cookie", cookie]];
  }
  return [
    [
      "cookie",
      random.pick([cookies.owner, cookies.owner, cookies.owner, cookies.developer, cookies.viewer, cookies.stranger]),
    ],
  ];
}

function site(random: Random, changes: boolean): Header[] {
  if (random.oneIn(10)) return oddHeaders(random);
  const from: Header = random.oneIn(20)
    ? random.pick<Header>([
        ["origin", "null"],
        ["origin", "http://evil.example"],
        ["origin", "x"],
        ["sec-fetch-site", "cross-site"],
        ["sec-fetch-site", ""],
      ])
    : ["sec-fetch-site", "same-origin"];
  return changes ? [from, ["content-type", random.oneIn(25) ? "text/plain" : "application/json"]] : [from];
}

function batchRequest(random: Random, target: Target): Request {
  const count = random.oneIn(10) ? random.integer(20, 200) : random.integer(0, 6);
  const names = Array.from({ length: count }, () => random.pick(PROCEDURES));
  const inputs = names.map(
    (name, index) =>
      `${JSON.stringify(random.oneIn(12) ? hostileText(random) : String(index))}:${makeInput(random, name, target)}`,
  );
  const text = random.oneIn(12) ? toJsonText(hostileValue(random)) : `{${inputs.join(",")}}`;
  const path = `/dashboard/api/${names.join(",").slice(0, 6000)}?batch=${random.oneIn(10) ? "x" : "1"}`;
  const visitor = visitorFor(random, target, names);
  if (random.oneIn(2))
    return {
      method: "GET",
      path: `${path}&input=${encode(random, text)}`,
      headers: [...visitor, ...site(random, false)],
    };
  return { method: "POST", path, headers: [...visitor, ...site(random, true)], body: Buffer.from(text) };
}

function exportRequest(random: Random, target: Target): Request {
  const right = {
    projectId: target.service.projectId,
    filter: { text: "no such text", from: "2027-01-01T00:00:00.000Z" },
  };
  const input = toJsonText(random.oneIn(4) ? right : mutate(random, right));
  return {
    method: "GET",
    path: `/dashboard/api/export/history?input=${encode(random, input)}`,
    headers: [...visitorFor(random, target, []), ...site(random, false)],
  };
}

function playgroundRequest(random: Random, target: Target): Request {
  const { path, body } = random.pick(RIGHT_REQUESTS);
  const project = random.oneIn(6)
    ? random.pick(["x", "00000000-0000-0000-0000-000000000000", "%00", "..", ""])
    : target.service.projectId;
  return {
    method: "POST",
    path: `/dashboard/api/playground/${project}${path}`,
    headers: [...visitorFor(random, target, []), ...site(random, true)],
    body: Buffer.from(toJsonText(mutate(random, body))),
  };
}

const PAGES = [
  "/dashboard",
  "/dashboard/",
  "/dashboard/history",
  "/dashboard/icon.svg",
  "/dashboard/reload.js",
  "/dashboard/assets/",
  "/dashboard/assets/x.js",
  "/dashboard/history/x?y=z",
];
const WAYS_OUT = [
  "../index.html",
  "..%2findex.html",
  "%2e%2e/%2e%2e/package.json",
  "....//",
  "..\\..\\package.json",
  "%00",
  "x%00.js",
  "C:\\x",
  "/etc/passwd",
  "%2fetc%2fpasswd",
  "..%c0%af",
  "%252e%252e%252f",
  "x".repeat(5000),
  ".",
  "%",
  "é.js",
];

function pageRequest(random: Random, target: Target): Request {
  const path = random.oneIn(2)
    ? random.pick(PAGES)
    : random.oneIn(2)
      ? `/dashboard/assets/${random.pick(WAYS_OUT)}`
      : `/dashboard${oddPath(random)}`;
  return {
    method: random.oneIn(6) ? anyMethod(random) : "GET",
    path,
    headers: [...visitorFor(random, target, []), ...oddHeaders(random)],
  };
}

function toInput(request: Request, connection: Connection, { service }: Target): Input {
  return {
    what: () =>
      describeRequest({
        ...request,
        headers: request.headers.map(([name, value]) => [
          name,
          name === "cookie" ? who(service.cookies, value) : value,
        ]),
      }),
    send: async () =>
      judge(await connection.send(writeRequest(request), request.method, limitFor(request)), request, service),
  };
}

function who(cookies: Readonly<Record<string, string>>, value: string): string {
  const name = Object.keys(cookies).find((role) => cookies[role] === value);
  return name === undefined ? value : `<${name}>`;
}

function judge(exchange: Exchange, { method, path }: Request, { secrets }: Target["service"]): Problem[] {
  if (exchange.kind === "hang") return [problem("hang", `no whole answer in time; ${exchange.received} bytes came`)];
  if (exchange.kind === "closed") return [problem("no answer", "the connection ended without an answer")];
  if (exchange.kind === "garbage") return [problem("envelope", exchange.problem)];
  const { answer } = exchange;
  const problems = findSecrets(answer.body, secrets);
  if (answer.status >= 500) problems.push(problem("5xx", `${answer.status} ${quote(answer.body)}`));
  if (!answer.whole) problems.push(problem("cut stream", "the body ends before its length"));
  if (method === "HEAD") return problems;
  if (/^\/dashboard\/api\/(?!playground|export)[a-zA-Z.,]+(\?|$)/.test(path)) return [...problems, ...judgeApi(answer)];
  if (answer.body.includes("root:") || answer.body.includes('"devDependencies"'))
    problems.push(problem("secret", "a file from elsewhere"));
  return problems;
}

/** An answer of tRPC, or a list of them to a batch. What comes before it answers in the same form. */
function judgeApi({ status, body }: Answer): Problem[] {
  const value = parseJson(body);
  const wrong = [problem("envelope", `${status} ${quote(body)}`)];
  if (status === 404 && isObject(value) && isObject(value["error"])) return [];
  const all = Array.isArray(value) ? value : [value];
  return all.every((one) => isObject(one) && (isObject(one["result"]) || isErrorShape(one["error"]))) ? [] : wrong;
}

function isErrorShape(error: unknown): boolean {
  return (
    isObject(error) &&
    typeof error["message"] === "string" &&
    !("stack" in error) &&
    (!isObject(error["data"]) || !("stack" in error["data"]))
  );
}
