import { describe, expect, it } from "vitest";
import { anthropicMessagesProtocol } from "../../../src/formats/messages/protocol.ts";

describe("anthropicMessagesProtocol", () => {
  it("names its version, and sends the key if there is one", () => {
    expect(anthropicMessagesProtocol.headers(undefined)).toEqual({ "anthropic-version": "2023-06-01" });
    expect(anthropicMessagesProtocol.headers("k")).toEqual({ "anthropic-version": "2023-06-01", "x-api-key": "k" });
  });

  it("knows the path, and the header with the upstream's identifier", () => {
    const { path, requestIdHeaders } = anthropicMessagesProtocol;
    expect({ path, requestIdHeaders }).toEqual({ path: "/v1/messages", requestIdHeaders: ["request-id"] });
  });
});
