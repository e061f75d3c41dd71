import { createHash } from "node:crypto";
import { toBinary } from "@bufbuild/protobuf";
import type { RawJson } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { TwinContext } from "../inference/ports.ts";
import type { HubInput } from "../lib/hub-input.ts";
import { isStored } from "../lib/is-stored.ts";

/** Members by which a request has something kept or done at the provider. */
const ACTING = ["store", "background", "container", "conversation", "mcp_servers", "web_search_options"] as const;

/** Characters of a request beyond which no twin is looked for: reading more would hold up other requests for too long. */
const MOST_CHARACTERS = 2 ** 22;

/** Characters that an object counts for beside its texts. */
const OBJECT_CHARACTERS = 32;

/** What halves of surrogate pairs are encoded as, so that requests that hold it cannot be told apart for certain. */
const REPLACEMENT = Buffer.from("\uFFFD");

/**
 * Returns what requests of a project have in common that one answer may serve at the same time (a stream and a whole answer are asked
 * for in different words, and differ in what their events and members hold); undefined for a request of another kind: one
 * that leaves its answer to chance (neither `temperature: 0` nor a seed), whose answer is kept, that continues a stored one, or that has
 * the provider do something. It is a SHA-256 over all that the hub's request says, in the caller's own order, but for the format that
 * it came in: what follows from that, the places that would be asked are compared by.
 */
export function twinKeyOf(input: HubInput, { projectId, streamed }: TwinContext): string | undefined {
  const isGreedy = input.temperature === 0;
  if (!isGreedy && input.extension?.json.includes('"seed"') !== true) return undefined;
  if (isStored(input) || input.previousId !== undefined) return undefined;
  if (input.tools.some(({ kind }) => kind.case === "opaque")) return undefined;
  const said = membersOf(input.extension);
  if (!isGreedy && (said["seed"] ?? undefined) === undefined) return undefined;
  if (ACTING.some((name) => Boolean(said[name]))) return undefined;
  const { store: _store, dialect: _dialect, echo: _echo, background: _background, ...asked } = input;
  if (charactersLeft(asked, MOST_CHARACTERS) < 0) return undefined;
  const bytes = toBinary(InferenceInputSchema, { ...asked, metadata: {} });
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(REPLACEMENT)) return undefined;
  const labels = Object.entries(input.metadata).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([projectId, streamed, labels]))
    .update(bytes)
    .digest("base64");
}

/** The members of the request that the hub does not model: an object, whoever wrote it. */
function membersOf(extension: RawJson | undefined): Readonly<Record<string, unknown>> {
  return extension === undefined ? {} : (JSON.parse(extension.json) as Record<string, unknown>);
}

/** What a value leaves of a number of characters; it is not read to its end where it has more. */
function charactersLeft(value: unknown, most: number): number {
  if (typeof value === "string") return most - value.length;
  if (typeof value !== "object" || value === null) return most - 1;
  let left = most - OBJECT_CHARACTERS;
  for (const name in value) {
    if (left < 0) return left;
    left = charactersLeft((value as Record<string, unknown>)[name], left);
  }
  return left;
}
