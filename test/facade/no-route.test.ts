import type { FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { noRoute } from "../../src/facade/no-route.ts";

describe("noRoute()", () => {
  it.each([
    ["/v1/v1/chat/completions", "the client adds /v1 itself, so end its base URL without it"],
    ["/proxy/v1/v1/messages?beta=true", "the client adds /v1 itself, so end its base URL without it"],
    ["//v1/chat/completions", "end the client's base URL without a slash"],
    ["/v1//messages", "end the client's base URL without a slash"],
    ["/chat/completions", "end the client's base URL with /v1"],
    ["/responses", "end the client's base URL with /v1"],
    [
      "/v1/chat/completions/chat/completions",
      "the client adds the route itself, so end its base URL with /v1, or before it",
    ],
    ["/v1/files", "files are not supported; send images and documents inside requests"],
  ])("says of %s what to change", (url, remedy) => {
    const { message } = noRoute({ method: "POST", url } as FastifyRequest);
    expect(message).toBe(`there is no POST ${url.split("?")[0]} here: ${remedy}`);
  });

  it("says nothing more of what looks like no route of a client", () => {
    const { message } = noRoute({ method: "GET", url: "/v1/unknown" } as FastifyRequest);
    expect(message).toBe("there is no GET /v1/unknown here");
  });
});
