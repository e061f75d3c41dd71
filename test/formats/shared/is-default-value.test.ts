import { describe, expect, it } from "vitest";
import { saysNothing } from "../../../src/formats/shared/is-default-value.ts";

describe("saysNothing()", () => {
  it.each<readonly [name: string, value: unknown, expected: boolean]>([
    ["status", "completed", true],
    ["max_tokens", 16, true],
    ["anything", null, true],
    ["annotations", [], true],
    ["metadata", {}, true],
    ["store", false, true],
    ["store", true, false],
    ["background", false, true],
    ["logprobs", false, true],
    ["enable_thinking", false, false],
    ["include", ["reasoning.encrypted_content"], true],
    ["include", ["reasoning.encrypted_content", "file_search_call.results"], false],
    ["tags", ["reasoning.encrypted_content"], false],
    ["seed", 0, false],
    ["user", "", true],
    ["user", "u", false],
    ["presence_penalty", 0, true],
    ["frequency_penalty", 0.5, false],
    ["service_tier", "auto", true],
    ["service_tier", "flex", false],
    ["truncation", "disabled", true],
    ["truncation", "auto", false],
    ["annotations", [{}], false],
    ["defer_loading", false, true],
    ["defer_loading", true, false],
    ["eager_input_streaming", false, true],
    ["stream_options", { include_obfuscation: false }, true],
    ["stream_options", { include_obfuscation: true }, false],
    ["metadata", { store: false }, false],
    ["speed", "standard", true],
    ["speed", "fast", false],
    ["allowed_callers", ["direct"], true],
    ["allowed_callers", ["direct", "code_execution_20260120"], false],
  ])("says of %s: %j whether it asks for nothing: %s", (name, value, expected) => {
    expect(saysNothing(name, value)).toBe(expected);
  });
});
