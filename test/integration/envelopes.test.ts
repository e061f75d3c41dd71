import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRaw } from "../support/send-raw.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({});
});

afterAll(() => service.close());

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY"];
const PATHS = ["/v1/nothing", "/nothing", "/v1/messages/batches", "/v1/chat/nothing"];
const cases = METHODS.flatMap((method) => PATHS.map((path) => ({ method, path })));
const OUT_OF_SCOPE = "not supported";
const VERSION = { "anthropic-version": "2023-06-01" };

describe.each(cases)("$method $path, which is not there", ({ method, path }) => {
  it("is told of in the format that the headers speak", async () => {
    const scope = path.endsWith("/batches") ? `: batches are ${OUT_OF_SCOPE}; send the requests one by one` : "";
    const message = `there is no ${method} ${path} here${scope}`;
    const ofMessages = (id: unknown) => ({
      type: "error",
      error: { type: "not_found_error", message },
      request_id: id,
    });
    const ofOpenAi = { error: { message, type: "invalid_request_error", param: null, code: "not_found" } };
    const named = await sendRaw(service.url, { method, path, headers: { ...service.headers, ...VERSION } });
    const plain = await sendRaw(service.url, { method, path, headers: service.headers });
    const id = (answer: typeof plain): unknown => answer.headers["request-id"];
    expect([named.status, JSON.parse(named.text)]).toEqual([404, ofMessages(id(named))]);
    const expected = path.startsWith("/v1/messages") ? ofMessages(id(plain)) : ofOpenAi;
    expect([plain.status, JSON.parse(plain.text)]).toEqual([404, expected]);
  });
});

it.each([
  ["/v1/files", "files are", "send images and documents inside requests"],
  ["/v1/uploads/upload_1/parts", "files are", "send images and documents inside requests"],
  ["/v1/batches", "batches are", "send the requests one by one"],
  ["/v1/audio/speech", "audio is", "call its provider for it"],
  ["/v1/images/generations", "generating images and videos is", "call their provider for it"],
])("says of %s that it is out of scope", async (path, name, remedy) => {
  const answer = await sendRaw(service.url, { method: "POST", path, headers: service.headers });
  const message = `there is no POST ${path} here: ${name} ${OUT_OF_SCOPE}; ${remedy}`;
  const error = { message, type: "invalid_request_error", param: null, code: "not_found" };
  expect([answer.status, JSON.parse(answer.text)]).toEqual([404, { error }]);
});
