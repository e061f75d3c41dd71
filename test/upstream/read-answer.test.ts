import { describe, expect, it } from "vitest";
import { ErrorReason } from "../../src/hub/error.ts";
import { unknownPath } from "../../src/upstream/read-answer.ts";

const asked = { name: "up", url: new URL("http://127.0.0.1:1/openai/v1/chat/completions?api-version=1") };
const PAGE = "<!doctype html><html><body>Cannot POST /</body></html>";

describe("unknownPath()", () => {
  it.each<[number, string]>([
    [404, ""],
    [404, "404 page not found"],
    [404, PAGE],
    [404, '{"detail":"Not Found"}'],
    [404, '{"error":"Not Found"}'],
    [404, '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}'],
    [404, '{"error":{"message":"Invalid URL (POST /v1/v1/chat/completions)","type":"invalid_request_error"}}'],
    [404, '{"error":{"message":"Unknown request URL: POST /v1.","code":"unknown_url"}}'],
    [404, '{"error":{"code":"404","message":"Resource not found"}}'],
    [404, '{"message":"no Route matched with those values"}'],
    [404, '{"type":"error","error":{"type":"not_found_error","message":"Not found"}}'],
    [404, '[{"error":{"code":404,"message":"Not found"}}]'],
    [405, '{"detail":"Method Not Allowed"}'],
    [410, ""],
    [400, PAGE],
    [301, PAGE],
    [200, PAGE],
  ])("finds that %i %s is about the path", (status, body) => {
    const error = unknownPath({ status, headers: {} }, body, asked);
    expect(error).toMatchObject({
      reason: ErrorReason.UPSTREAM_MISCONFIGURED,
      message: expect.stringMatching(/^the upstream 'up' .*POST \/openai\/v1\/chat\/completions /),
    });
    expect(error?.retryable).toBe(false);
    expect(error?.mayServeElsewhere).toBe(true);
  });

  it.each<[number, string]>([
    [404, '{"error":{"message":"The model `x` does not exist","code":"model_not_found"}}'],
    [404, '{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}'],
    [404, '{"error":{"message":"model \\"x\\" not found, try pulling it first"}}'],
    [404, '{"error":{"message":"Item with id \'rs_1\' not found."}}'],
    [400, '{"error":{"message":"Not Found"}}'],
    [410, '{"status":410,"title":"Gone","detail":"The model \'x\' has reached its end of life on 2026-05-15."}'],
    [413, PAGE],
    [403, PAGE],
    [502, PAGE],
  ])("leaves %i %s to its format", (status, body) => {
    expect(unknownPath({ status, headers: {} }, body, asked)).toBeUndefined();
  });
});
