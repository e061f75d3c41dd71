import { describe, expect, it } from "vitest";
import { signV4 } from "../../../src/upstream/auth/sign-v4.ts";

const KEYS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  expiresAtMs: Number.POSITIVE_INFINITY,
};
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** The vectors of AWS's published test suite (aws-sig-v4-test-suite) that use the headers which are signed here. */
const SUITE = [
  ["get-vanilla", "GET", "", {}, "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
  ["post-vanilla", "POST", "", {}, "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
  [
    "get-vanilla-query-order-key-case",
    ...["GET", "?Param2=value2&Param1=value1", {}, ""],
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
  [
    "post-x-www-form-urlencoded",
    ...["POST", "", FORM, "Param1=value1"],
    "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
  ],
] as [string, "GET" | "POST", string, Record<string, string>, string, string][];

/** Requests as @smithy/signature-v4 5.7.5 signs them. */
const SIGNED = [
  [
    "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-20250514-v1%3A0/invoke-with-response-stream",
    { "content-type": "application/json" },
    '{"anthropic_version":"bedrock-2023-05-31","max_tokens":5}',
    "session/token==",
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261127/us-east-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature=9061866c45efa86b967802d06aeac12b53da059a65dba26ae8f72b7f83313126",
  ],
  [
    "https://bedrock-runtime.eu-central-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aeu-central-1%3A111122223333%3Aapplication-inference-profile%2Fabc/invoke?a=1&b=x%20y",
    {},
    "{}",
    undefined,
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261127/eu-central-1/bedrock/aws4_request, SignedHeaders=host;x-amz-date, Signature=849527721fb260a71555a331606bc870c1dc7d96cc318277747ac16eb023b738",
  ],
] as const;

describe("signV4()", () => {
  it.each(SUITE)("signs %s as AWS's test suite does", (_name, method, query, headers, body, signature) => {
    const request = {
      method,
      url: new URL(`https://example.amazonaws.com/${query}`),
      headers,
      body: Buffer.from(body),
    };
    const scope = { region: "us-east-1", service: "service" };
    const names = headers === FORM ? "content-type;host;x-amz-date" : "host;x-amz-date";
    expect(signV4(request, KEYS, scope, new Date("2015-08-30T12:36:00Z"))).toEqual({
      "x-amz-date": "20150830T123600Z",
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    });
  });

  it.each(SIGNED)("signs POST %s as AWS's own library does", (href, headers, body, sessionToken, authorization) => {
    const url = new URL(href);
    const request = { method: "POST" as const, url, headers, body: Buffer.from(body) };
    const scope = { region: url.hostname.split(".")[1] ?? "", service: "bedrock" };
    const signed = signV4(request, { ...KEYS, sessionToken }, scope, new Date("2026-11-27T21:00:00Z"));
    expect(signed).toEqual({
      "x-amz-date": "20261127T210000Z",
      ...(sessionToken && { "x-amz-security-token": sessionToken }),
      authorization,
    });
  });
});
