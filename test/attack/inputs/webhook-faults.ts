import { setTimeout as sleep } from "node:timers/promises";
import type { Script } from "../hostile-upstream.ts";
import type { Random } from "../random.ts";
import { begin, cutAt, drip, endless, type Fault, fault, raw, TYPES } from "./fault.ts";
import { damage } from "./mutate.ts";

const JSON_TYPE = "application/json";
const PASS = '{"pass":true}';
/** Longer than a webhook is waited for. */
const SILENCE_MS = 4000;

/** Answers as a webhook should. */
export const passes: Script = (response) => void response.writeHead(200, { "content-type": JSON_TYPE }).end(PASS);

/** Makes what a webhook may do that is no verdict, or one in an odd form. */
export function makeWebhookFault(random: Random): Fault {
  const shape = random.next();
  if (shape < 0.15) return cutAt(random, Buffer.from(PASS), random.integer(0, PASS.length - 1), JSON_TYPE);
  if (shape < 0.5) return said(random);
  if (shape < 0.65) return withStatus(random);
  if (shape < 0.85) return misframed(random);
  if (shape < 0.9) return random.oneIn(8) ? overlong(random) : withHeaders(random);
  return random.oneIn(4) ? silent(random) : drip(random, Buffer.from(PASS), JSON_TYPE);
}

function answer(name: string, body: string | Buffer, status = 200): Fault {
  return fault(name, (response) => void response.writeHead(status, { "content-type": JSON_TYPE }).end(body));
}

const VERDICTS = [
  ...["", " ", "null", "true", "0", '"pass"', "[]", "{}", "[{}]", '{"pass":null}', '{"pass":"true"}', '{"pass":1}'],
  ...[
    '{"pass":false}',
    '{"pass":true}{"pass":false}',
    '{"pass":true,"pass":false}',
    '\ufeff{"pass":true}',
    '{"PASS":true}',
  ],
  ...['{"__proto__":{"pass":true}}', '{"pass":{"__proto__":true}}', '{"constructor":1}', "<html></html>", "pass"],
];

function said(random: Random): Fault {
  const levels = random.pick([100, 1000, 7000]);
  switch (random.integer(0, 5)) {
    case 0:
      return answer("damages its verdict", damage(random, Buffer.from(PASS)));
    case 1:
      return answer(`arrays of ${levels} levels`, `{"pass":${"[".repeat(levels)}${"]".repeat(levels)}}`);
    case 2:
      return answer("a verdict and much beside it", `{"pass":true,"why":"${"x".repeat(random.integer(1e4, 4e6))}"}`);
    case 3:
      return answer("bytes", Buffer.from(Array.from({ length: 200 }, () => random.integer(0, 255))));
    default: {
      const verdict = random.pick(VERDICTS);
      return answer(`says ${verdict}`, verdict);
    }
  }
}

function withStatus(random: Random): Fault {
  const status = random.pick([
    201, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 408, 418, 429, 500, 503, 599,
  ]);
  return fault(`answers ${status}`, (response, _socket, { url }) => {
    const headers = {
      location: random.pick(["/elsewhere", url ?? "/", "http://127.0.0.1:1/", "//[", "file:///etc/passwd"]),
    };
    response.writeHead(status, { "content-type": JSON_TYPE, "retry-after": "86400", ...headers }).end(PASS);
  });
}

function misframed(random: Random): Fault {
  const head = (more: string): string => `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\n${more}\r\n\r\n`;
  switch (random.integer(0, 5)) {
    case 0:
      return raw("a length that is too long", head(`content-length: ${PASS.length + random.integer(1, 1000)}`) + PASS);
    case 1:
      return raw("a wrong length", head(`content-length: ${random.pick(["-1", "x", "9".repeat(20), "5, 6"])}`) + PASS);
    case 2:
      return raw(
        "wrong chunks",
        `${head("transfer-encoding: chunked")}${random.pick(["zz", "-1", "ffffffffff"])}\r\n${PASS}\r\n`,
      );
    case 3:
      return raw(
        "no HTTP",
        random.pick([
          "",
          "\0",
          "HTTP/9.9 abc\r\n\r\n",
          "220 smtp ready\r\n",
          "PRI * HTTP/2.0\r\n\r\n",
          "\r\n".repeat(9999),
        ]),
      );
    case 4:
      return raw(
        "an answer and another one that nobody asked for",
        `${head(`content-length: ${PASS.length}`)}${PASS}`.repeat(2),
      );
    default:
      return fault("a type or a compression that nobody asked for", (response) => {
        const encoding = random.pick(["gzip", "br", "x"]);
        begin(response, { "content-type": random.pick(TYPES), "content-encoding": encoding });
        response.end(PASS);
      });
  }
}

function withHeaders(random: Random): Fault {
  const size = random.pick([1000, 31_000, 40_000, 400_000]);
  const count = random.pick([100, 1900, 3000]);
  const headers = random.oneIn(2) ? `x: ${"y".repeat(size)}\r\n` : "x: y\r\n".repeat(count);
  return raw("many or large headers", `HTTP/1.1 200 OK\r\n${headers}content-length: ${PASS.length}\r\n\r\n${PASS}`);
}

/** What goes on until somebody stops it. */
function overlong(random: Random): Fault {
  if (random.oneIn(2)) return endless("an endless text", { start: '{"x":"', more: "y", type: JSON_TYPE });
  const more = random.pick(["HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 200 OK\r\nx: y\r\n"]);
  return fault("endless heads", async (_response, socket) => {
    for (const end = performance.now() + SILENCE_MS; performance.now() < end && !socket.destroyed; await sleep(1)) {
      socket.write(more.repeat(10));
    }
    socket.destroy();
  });
}

function silent(random: Random): Fault {
  const begun = random.integer(0, 2);
  return fault("falls silent", async (response, socket) => {
    if (begun > 0) begin(response, { "content-type": JSON_TYPE });
    if (begun > 1) response.write(PASS.slice(0, 5));
    if (begun === 1) response.flushHeaders();
    await sleep(SILENCE_MS);
    socket.destroy();
  });
}
