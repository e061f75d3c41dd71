import { toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema, StoredInferenceSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput, type HubInput } from "../../src/hub/input.ts";
import { decodeRequest, encodeRequest, packRequest, requestToMessage } from "../../src/hub/request-bytes.ts";
import { anyMessage } from "../support/message-arbitrary.ts";
import { waitUntil } from "../support/wait.ts";

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function conversation(turns: number): HubInput {
  return createHubInput({
    model: "attune/m",
    system: [{ kind: { case: "text", value: { text: "Be brief." } } }],
    messages: Array.from({ length: turns }, (_, at) => ({
      role: at % 2 === 0 ? Role.USER : Role.ASSISTANT,
      content: [{ kind: { case: "text" as const, value: { text: `What of parcel ${at}?` } } }],
    })),
    dialect: Dialect.RESPONSES,
    echo: { dialect: Dialect.RESPONSES, json: '{"instructions":"Be brief."}' },
  });
}

/** What others may see of a request, as it is at the moment. */
const seen = (input: HubInput): unknown => ({ ...input });
const isKeptAsBytes = (input: HubInput): boolean =>
  Object.getOwnPropertyDescriptor(input, "messages")?.get !== undefined;

describe("packRequest()", () => {
  it("changes nothing of what any request says, nor of what is recorded of it", () => {
    fc.assert(
      fc.property(anyMessage(InferenceInputSchema, 4), fc.constantFrom(0, 1, 2, 3), (message, dialect) => {
        const input: HubInput = { ...message, dialect, background: dialect === 3 };
        const original = { ...input };
        const { system, messages, tools, extension, echo } = decodeRequest(
          toBinary(StoredInferenceSchema, requestToMessage(input)),
        );
        const bytes = encodeRequest(input);
        fc.pre(!Buffer.from(bytes).includes("\ufffd"));
        packRequest(input);
        expect(isKeptAsBytes(input)).toBe(true);
        expect(encodeRequest(input)).toEqual(bytes);
        const large = { system, messages, tools, ...(extension && { extension }), ...(echo && { echo }) };
        expect(seen(input)).toEqual({ ...original, ...large });
        expect(encodeRequest(input)).toEqual(bytes);
      }),
      { numRuns: 300 },
    );
  });

  it("gives a large member back to whoever holds the request, and packs it again without another look", () => {
    const input = conversation(3);
    const [messages] = [input.messages];
    const others = { input };
    packRequest(input);
    packRequest(input);
    expect(input.model).toBe("attune/m");
    expect(isKeptAsBytes(input)).toBe(true);
    expect(others.input.messages).toEqual(messages);
    expect(others.input.messages).toBe(input.messages);
    expect(isKeptAsBytes(input)).toBe(false);
    const bytes = encodeRequest(input);
    packRequest(input);
    expect(isKeptAsBytes(input)).toBe(true);
    expect(encodeRequest(input)).toBe(bytes);
    expect(input.echo?.json).toBe('{"instructions":"Be brief."}');
  });

  it("compresses a large one in the background, and reads it all the same", async () => {
    const input = conversation(4000);
    const plain = conversation(4000);
    packRequest(input);
    await waitUntil(() => Buffer.from(encodeRequest(input)).subarray(0, 4).equals(ZSTD));
    const bytes = encodeRequest(input);
    expect(bytes.length).toBeLessThan(encodeRequest(plain).length / 4);
    expect(decodeRequest(bytes)).toEqual(seen(plain));
    expect(seen(input)).toEqual(seen(plain));
  });

  it("tells the bytes of a large one once it is compressed", async () => {
    const input = conversation(5000);
    const plain = encodeRequest(input).length;
    const told: number[] = [];
    packRequest(input, (bytes) => told.push(bytes));
    await waitUntil(() => told.length > 0);
    expect(told).toEqual([encodeRequest(input).length]);
    expect(told[0]).toBeLessThan(plain / 4);
  });

  it.each([
    ["breaks its own proto", { maxOutputTokens: 1.5 }],
    ["has half of a surrogate pair, for which UTF-8 has no bytes", { model: "attune/\ud800" }],
  ])("leaves one as it is that %s", (_, broken) => {
    const input = { ...conversation(2), ...broken };
    expect(() => packRequest(input)).toThrow();
    expect(isKeptAsBytes(input)).toBe(false);
    expect(input.messages).toHaveLength(2);
  });
});
