import { type ContentBlock, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type ServerFacts, UNKNOWN_SERVER } from "../../../catalog/facts.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { UpstreamTarget } from "../../../hub/upstream.ts";
import { CacheBreakpoints } from "../../shared/cache-breakpoints.ts";
import { findSearch, type RequestedSearch } from "../../shared/hosted-tools/web-search.ts";
import { LossList } from "../../shared/losses.ts";
import type { EncodeTarget } from "../../shared/protocol.ts";
import { fitThinkingChoice } from "./fit-thinking-choice.ts";

/** A block and its place in the hub's request. */
export interface PlacedBlock {
  readonly block: ContentBlock;
  readonly path: string;
}

/** The shared state of one translation. */
export interface Translation {
  readonly input: HubInput;
  readonly losses: LossList;
  readonly breakpoints: CacheBreakpoints;
  /** Reasoning in the history that the upstream made itself. */
  readonly ownReasoning: ReadonlySet<ContentBlock>;
  /** The abilities of the upstream. */
  readonly profile: ServerFacts;
  /** The web search that a caller of another format asks for, where the upstream's model has it. */
  readonly search: RequestedSearch | undefined;
  /** Names prompts that begin alike for the upstream's cache, where the caller does not. */
  readonly cacheKey: string | undefined;
  readonly model: UpstreamTarget["model"] | undefined;
  /** The upstream's name of the model. */
  readonly upstreamModel: string | undefined;
  /** True if the caller spoke this format too, so that everything goes out as it came in. */
  readonly isNative: boolean;
}

/**
 * Models of the format that search the web: gpt-4o-search-preview, gpt-5-search-api. All others refuse to be asked.
 * https://platform.openai.com/docs/guides/tools-web-search
 */
const SEARCHING = /-search-/;

/** Begins the translation of a request. */
export function createTranslation(
  received: HubInput,
  {
    ownReasoning = new Set(),
    profile: known,
    cacheKey,
    deployment,
    model,
  }: Pick<EncodeTarget, "ownReasoning" | "profile" | "cacheKey"> &
    Partial<Pick<EncodeTarget, "deployment" | "model">> = {},
): Translation {
  const isNative = received.dialect === Dialect.CHAT;
  const losses = new LossList("chat", received);
  const upstreamModel = deployment?.model;
  const facts = { ...UNKNOWN_SERVER, ...known };
  const { input, profile } = fitThinkingChoice({ input: received, profile: facts, losses, model, upstreamModel });
  // A mark needs a part to stand at.
  const areKnown = profile.content === "parts" && (isNative || profile.cacheBreakpoints);
  const areControlsKnown = isNative ? undefined : areKnown;
  const breakpoints = new CacheBreakpoints({ input, losses, areKnown, areControlsKnown });
  const search =
    isNative || deployment === undefined || !SEARCHING.test(deployment.model)
      ? undefined
      : findSearch(input, Dialect.CHAT);
  return {
    input,
    losses,
    breakpoints,
    ownReasoning,
    profile,
    search,
    cacheKey,
    model,
    upstreamModel,
    isNative,
  };
}

/** Places the blocks of a message, or of a tool's result, that stands at `path`. */
export function placeBlocks(blocks: readonly ContentBlock[], path: string): PlacedBlock[] {
  return blocks.map((block, index) => ({ block, path: `${path}.content[${index}]` }));
}
