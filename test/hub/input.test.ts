import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, MessageSchema, RawJsonSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { createHubInput } from "../../src/hub/input.ts";

describe("createHubInput()", () => {
  it("creates what came over RPC, where nothing else is said", () => {
    const { model, dialect, echo, background } = createHubInput({ model: "attune/m" });
    expect({ model, dialect, echo, background }).toEqual({
      model: "attune/m",
      dialect: Dialect.UNSPECIFIED,
      echo: undefined,
      background: false,
    });
  });

  it("keeps how a request came in, and the messages that it is given", () => {
    const message = create(MessageSchema, { name: "ann" });
    const init = { dialect: Dialect.RESPONSES, echo: { dialect: Dialect.RESPONSES, json: "{}" }, background: true };
    const input = createHubInput({ ...init, messages: [message] });
    expect(input).toMatchObject({ ...init, echo: create(RawJsonSchema, init.echo) });
    expect(input.messages[0]).toBe(message);
    expect(createHubInput(input)).toEqual(input);
  });
});
