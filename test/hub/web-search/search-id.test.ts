import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, RawJsonSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { ownSearchPlace, writeSearchId } from "../../../src/hub/web-search/search-id.ts";

const inferenceId = "0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000";
const itemOf = (id: string) =>
  create(RawJsonSchema, {
    dialect: Dialect.RESPONSES,
    json: JSON.stringify({ type: "web_search_call", id, status: "completed" }),
  });

describe("ownSearchPlace()", () => {
  it("reads what writeSearchId() wrote", () => {
    const id = writeSearchId(Dialect.RESPONSES, { inferenceId, index: 12 });
    expect(id).toBe("ws_0199aaaabbbb7ccc8dddeeeeffff0000_12");
    expect(ownSearchPlace(itemOf(id))).toEqual({ inferenceId, index: 12 });
    const call = {
      type: "server_tool_use",
      id: writeSearchId(Dialect.MESSAGES, { inferenceId, index: 0 }),
      name: "web_search",
    };
    const block = create(RawJsonSchema, { dialect: Dialect.MESSAGES, json: JSON.stringify(call) });
    expect(ownSearchPlace(block)).toEqual({ inferenceId, index: 0 });
  });

  it.each(["ws_67c9fa0502748190b7dd390736892e100be649c1a5ff9609", "ws_1", "srvtoolu_01WYG3", ""])(
    "reads none in the id '%s' of a provider",
    (id) => expect(ownSearchPlace(itemOf(id))).toBeUndefined(),
  );
});
