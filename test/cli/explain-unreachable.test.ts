import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { explainUnreachable } from "../../src/cli/explain-unreachable.ts";

const URL = "https://attune.example.com";

function failed(message: string, code: Code, cause?: Error): ConnectError {
  return new ConnectError(message, code, undefined, undefined, cause);
}

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

describe("explainUnreachable()", () => {
  it.each([
    [
      failed("x", Code.Unavailable, systemError("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1")),
      `cannot reach ${URL}: connect ECONNREFUSED 127.0.0.1:1; is --url right?`,
    ],
    [
      failed(
        "",
        Code.Unavailable,
        Object.assign(new AggregateError([new Error("connect ECONNREFUSED ::1:1")], ""), { code: "ECONNREFUSED" }),
      ),
      `cannot reach ${URL}: connect ECONNREFUSED ::1:1; is --url right?`,
    ],
    [
      failed("x", Code.Internal, systemError("DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate")),
      `cannot reach ${URL}: self-signed certificate; set NODE_EXTRA_CA_CERTS to the certificate of its authority`,
    ],
    [
      failed("x", Code.Internal, systemError("EPROTO", "write EPROTO 40FD: wrong version number\n")),
      `${URL} does not speak TLS: is its address http://?`,
    ],
    [failed("x", Code.DeadlineExceeded), `${URL} did not answer within 30 s`],
    [
      failed("HTTP 502", Code.Unavailable),
      `${URL} answered with HTTP 502: the service behind it is down, or the proxy doesn't route to it`,
    ],
    [
      failed("HTTP 404", Code.Unimplemented),
      `${URL} does not answer as Attune's administration does (HTTP 404): --url is the address of the service itself`,
    ],
    [
      failed("", Code.Unknown),
      `${URL} does not answer as Attune's administration does: --url is the address of the service itself`,
    ],
    [new Error("the database is away"), `${URL}: the database is away`],
  ])("of %s", (thrown, line) => {
    expect(explainUnreachable(URL, thrown, 30_000)).toBe(line);
  });
});
