import { setTimeout as sleep } from "node:timers/promises";
import { SCENARIOS, type UpstreamKind } from "../../support/upstream-frames.ts";
import { WHOLES } from "../../support/upstream-wholes.ts";
import type { Random } from "../random.ts";
import { begin, cutAt, drip, endless, endlessRaw, type Fault, fault, raw, TYPES } from "./fault.ts";
import { toJsonText } from "./json-text.ts";
import { damage, mutate } from "./mutate.ts";

const JSON_TYPE = "application/json";

/** Makes a fault of an upstream of a kind that answers whole. */
export function makeWholeFault(random: Random, kind: UpstreamKind): Fault {
  const body = WHOLES[kind][random.pick(SCENARIOS)];
  const shape = random.next();
  if (shape < 0.15) return cut(random, Buffer.from(body));
  if (shape < 0.6) return changed(random, body);
  if (shape < 0.75) return sized(random, body, kind);
  if (shape < 0.9) return misframed(random, body);
  return timed(random, Buffer.from(body));
}

/** A body ends with the brace that ends all of it: without it, it is none. */
function cut(random: Random, body: Buffer): Fault {
  return cutAt(random, body, random.integer(0, body.length - 1), JSON_TYPE);
}

function answer(name: string, body: string | Buffer, isCut = false): Fault {
  return fault(
    name,
    (response) => {
      begin(response, { "content-type": JSON_TYPE });
      response.end(body);
    },
    { isCut },
  );
}

function changed(random: Random, body: string): Fault {
  switch (random.integer(0, 9)) {
    case 0:
      return answer("damages its body", damage(random, Buffer.from(body)));
    case 1:
      return answer("says everything twice", body + body, true);
    case 2:
      return answer("puts white space around its body", ` \r\n\t${body}\n\n`);
    case 3:
      return answer(
        "puts something odd before its body",
        random.pick(["\ufeff", "x", "data: ", "null", "//\n"]) + body,
      );
    case 4:
      return answer(
        "says something else",
        random.pick(["null", "[]", "{}", '""', "0", "true", "", " ", "\ufeff"]),
        true,
      );
    case 5:
      return answer("puts its body in a list", `[${body}]`, true);
    default:
      return answer("changes its body", toJsonText(mutate(random, JSON.parse(body))));
  }
}

/** Where each kind has a list that may be of any length, and an item of it. */
const LISTS: Readonly<Record<UpstreamKind, readonly [name: string, item: (index: number) => object]>> = {
  chat: ["tool_calls", (index) => ({ id: `c${index}`, type: "function", function: { name: "f", arguments: "{}" } })],
  responses: [
    "output",
    (index) => ({ type: "function_call", id: `i${index}`, call_id: `c${index}`, name: "f", arguments: "{}" }),
  ],
  messages: ["content", (index) => ({ type: "tool_use", id: `c${index}`, name: "f", input: {} })],
};

function sized(random: Random, body: string, kind: UpstreamKind): Fault {
  const many = random.pick([100, 1000, 10_000]);
  const withMember = (value: string): string => `{"x_member":${value},${body.slice(1)}`;
  switch (random.oneIn(6) ? random.integer(-1, 1) : random.integer(2, 8)) {
    case -1:
      return endlessRaw("an endless text in pieces of two characters", {
        start: `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\ntransfer-encoding: chunked\r\n\r\n6\r\n{"x":"\r\n`,
        more: "2\r\nyy\r\n",
      });
    case 0:
      return endless("an endless text", { start: '{"x":"', more: "y", type: JSON_TYPE });
    case 1:
      return endless("an endless list", { start: '{"x":[0', more: ",0", type: JSON_TYPE });
    case 2:
      return answer("arrays in arrays", withMember("[".repeat(100_000) + "]".repeat(100_000)), true);
    case 3:
      return answer(`objects of ${many} levels`, withMember(`${'{"a":'.repeat(many)}1${"}".repeat(many)}`));
    case 4:
      return answer(`a number of ${many} digits`, withMember("9".repeat(many)));
    case 5:
      return answer(
        `${many} members`,
        `{${Array.from({ length: many }, (_none, index) => `"m${index}":${index}`).join()},${body.slice(1)}`,
      );
    case 6:
      return answer("a long text", withMember(JSON.stringify("x".repeat(random.integer(1e5, 4e6)))));
    default:
      return answer(`${many} calls`, withCalls(body, kind, many));
  }
}

/** Puts calls where the kind has them. */
function withCalls(body: string, kind: UpstreamKind, count: number): string {
  const [name, item] = LISTS[kind];
  const list = Array.from({ length: count }, (_none, index) => item(index));
  const value = JSON.parse(body) as { choices?: [{ message: object }] };
  if (kind !== "chat") return JSON.stringify({ ...value, [name]: list });
  for (const { message } of value.choices ?? []) Object.assign(message, { [name]: list });
  return JSON.stringify(value);
}

/** Bodies that are wrong around their JSON: types, lengths, compression. */
function misframed(random: Random, body: string): Fault {
  const size = Buffer.byteLength(body);
  const head = (length: number | string): string =>
    `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${length}\r\n\r\n`;
  switch (random.integer(0, 5)) {
    case 0:
      return raw("a length that is too long", head(size + random.integer(1, 1000)) + body);
    case 1:
      return raw("a length that is too short", head(random.integer(0, size - 1)) + body);
    case 2:
      return raw("a wrong length", head(random.pick(["-1", "x", "99999999999999999999", "5, 6"])) + body);
    case 3: {
      const type = random.pick([...TYPES, "application/problem+json", "application/JSON; charset=latin1"]);
      return fault(`a body of the type ${type}`, (response) => {
        response.writeHead(200, { "content-type": type }).end(body);
      });
    }
    case 4:
      return fault("a compression that nobody asked for", (response) => {
        begin(response, { "content-type": JSON_TYPE, "content-encoding": random.pick(["gzip", "br", "x"]) });
        response.end(body);
      });
    default:
      return raw(
        "wrong chunks",
        `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\ntransfer-encoding: chunked\r\n\r\n${random.pick(["zz", "-1", "ffffffffff", ""])}\r\n${body}\r\n`,
      );
  }
}

function timed(random: Random, body: Buffer): Fault {
  if (!random.oneIn(8)) return drip(random, body, JSON_TYPE);
  const begun = body.subarray(0, random.integer(0, body.length - 1));
  return fault(
    "falls silent",
    async (response) => {
      begin(response, { "content-type": JSON_TYPE });
      response.write(begun);
      await sleep(4000);
    },
    { isCut: true },
  );
}
