import { describe, expect, it } from "vitest";
import { decodeOpenAiErrorObject } from "../../../../src/formats/shared/decode-openai-error.ts";
import { findError } from "../../../../src/formats/shared/errors/find-error.ts";

const PLACES = [
  { member: "base_resp", code: "status_code", message: "status_msg", success: ["0"] },
  { code: "code", message: "msg" },
];

describe("findError()", () => {
  it.each([
    [{ error: { message: "a", code: "c", type: "t" } }, "a", ["c", "t"]],
    [{ error: "a", code: "c" }, "a", ["c"]],
    [{ errors: [{ message: "a", code: 7000 }], success: false }, "a", ["7000"]],
    [{ errors: ["a"] }, "a", []],
    [{ message: "a", type: "t" }, "a", ["t"]],
    [{ status: "failure", message: "a" }, "a", ["failure"]],
    [{ detail: "a" }, "a", []],
    [{ detail: { message: "a" } }, "a", []],
    [{ detail: { error: { message: "a" } } }, "a", []],
    [{ Message: "a" }, "a", []],
    [{ base_resp: { status_code: 1008, status_msg: "a" } }, "a", ["1008"]],
    [{ base_resp: { status_code: 0, status_msg: "success" } }, undefined, []],
    [{ code: 500, msg: "a", success: false }, "a", ["500"]],
    [{ error: { message: "a", details: [{ reason: "API_KEY_INVALID" }] } }, "a", ["API_KEY_INVALID"]],
    [{ error: { message: "outer", metadata: { raw: '{"error":{"message":"a","code":"c"}}' } } }, "a", ["c"]],
    [{ error: { message: "outer", metadata: { raw: "a" } } }, "a", []],
    [{ error: { message: 'litellm.BadRequestError: {"error": {"message": "a"}}' } }, "a", []],
    // Claude Code Router 2.0.0 says it twice, with its stack.
    [
      {
        error: {
          message: 'Error from provider(x: 500): {"error":{"message":"a \\"}"}}Error: {"error":{"message":"a"}}\n at x',
        },
      },
      'a "}',
      [],
    ],
    [{ error: { error: { message: "a", code: "c" } } }, "a", ["c"]],
    [{ error: [{ message: "a", code: "c" }] }, "a", ["c"]],
    [{ err: { message: "a" } }, "a", []],
    [{ fault: { faultstring: "a" } }, "a", []],
    [{ error: "invalid_token", error_description: "a" }, "a", []],
    [{ error: { code: 500, reason: "a" } }, "a", ["500", "a"]],
    [{ exception: "a" }, "a", []],
    [{ message: ["a", "b"], error: "Bad Request", statusCode: 400 }, "a; b", []],
    [{ errors: { temperature: ["a", "b"], top_p: "c" } }, "temperature: a; b; top_p: c", []],
    [{ title: "One or more validation errors occurred.", errors: { top_p: ["a"] }, status: 400 }, "top_p: a", []],
    [{ type: "about:blank", title: "a", status: 422 }, "a", ["about:blank", "422"]],
    [{ __type: "com.amazon.x#ThrottlingException", Message: "a" }, "a", ["ThrottlingException"]],
    [
      { error: { message: `litellm.X: Error code: 400 - {'error': {'message': "it's \\"a\\"", 'code': None}}` } },
      `it's "a"`,
      [],
    ],
    [{ error: { message: "Error code: 400 - {'error': {'type': 'x', 'param': None, 'message': 'a'}}" } }, "a", []],
    [{}, undefined, []],
  ])("reads %j", (body, message, codes) => {
    const found = findError(body, PLACES);
    expect([found.message, found.codes]).toEqual([message, codes]);
  });

  it("reads nothing of the caller's values in FastAPI's details", () => {
    const detail = [
      {
        type: "string_type",
        loc: ["body", "messages", 0, "content"],
        msg: "Input should be a string",
        input: "secret",
      },
      { type: "missing", loc: ["body", "model"], msg: "Field required", input: { messages: ["secret"] } },
      { loc: ["query", "x"], input: "secret" },
    ];
    const told = "messages[0].content: Input should be a string; model: Field required; query.x: is refused";
    expect(findError({ detail }, []).message).toBe(told);
    // Mistral has them where its message would stand.
    expect(findError({ object: "error", message: { detail }, type: "invalid_request_error" }, []).message).toBe(told);
  });

  it.each([
    [{ error: { message: "a", type: "BadRequestError", code: 400 } }, "BadRequestError"],
    [{ error: { message: "a", type: "t", code: "c" } }, "c"],
    [{ base_resp: { status_code: 1008, status_msg: "a" } }, "1008"],
  ])("keeps the name of %j that says most", (body, code) => {
    const facts = { errors: [], errorPlaces: PLACES };
    expect(decodeOpenAiErrorObject({ ...body }, facts, 400).facts.upstreamCode).toBe(code);
  });

  it("looks into errors within errors, but not for ever", () => {
    let body: object = { error: { message: "innermost" } };
    for (let level = 0; level < 6; level += 1) body = { error: { message: JSON.stringify(body) } };
    expect(findError({ ...body }, []).message).toContain("innermost");
  });
});
