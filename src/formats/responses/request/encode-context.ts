import { type ContentBlock, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type ServerFacts, UNKNOWN_ON_ROUTE } from "../../../catalog/facts.ts";
import { InferenceError } from "../../../hub/error.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { UpstreamTarget } from "../../../hub/upstream.ts";
import { CacheBreakpoints } from "../../shared/cache-breakpoints.ts";
import { findSearch, type RequestedSearch } from "../../shared/hosted-tools/web-search.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../shared/json.ts";
import { LossList } from "../../shared/losses.ts";
import type { EncodeTarget } from "../../shared/protocol.ts";

/** The shared state of one translation. */
export class EncodeContext {
  readonly dialect: Dialect;
  /** True if the request came in the Responses format, so that it goes on as it is. */
  readonly native: boolean;
  readonly losses: LossList;
  readonly breakpoints: CacheBreakpoints;
  readonly model: UpstreamTarget["model"];
  /** The upstream's name of the model. */
  readonly upstreamModel: string | undefined;
  readonly profile: ServerFacts;
  /** Reasoning that the upstream made itself. */
  readonly ownReasoning: ReadonlySet<ContentBlock>;
  /** The web search that a caller of another format asks the provider for. */
  readonly search: RequestedSearch | undefined;

  constructor(
    input: HubInput,
    {
      model,
      deployment,
      profile,
      ownReasoning = new Set(),
    }: Pick<EncodeTarget, "model" | "profile" | "ownReasoning"> & Partial<Pick<EncodeTarget, "deployment">>,
  ) {
    this.profile = { ...UNKNOWN_ON_ROUTE.responses, ...profile };
    const { cacheBreakpoints } = this.profile;
    this.model = model;
    this.upstreamModel = deployment?.model;
    this.ownReasoning = ownReasoning;
    this.dialect = input.dialect;
    this.native = input.dialect === Dialect.RESPONSES;
    this.search = this.native ? undefined : findSearch(input, Dialect.RESPONSES);
    this.losses = new LossList("responses", input);
    // Chat callers use the same word, and know for whom.
    const areKnown = this.native || this.dialect === Dialect.CHAT || cacheBreakpoints;
    this.breakpoints = new CacheBreakpoints({
      input,
      losses: this.losses,
      areKnown,
      areControlsKnown: cacheBreakpoints,
    });
  }
}

/** Parses JSON text that the caller of an RPC wrote. Throws INVALID_REQUEST if it is not an object. */
export function parseMember(json: string, path: string): JsonObject {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch {
    value = undefined;
  }
  if (isJsonObject(value)) return value;
  throw InferenceError.invalid(path, "must be the text of a JSON object");
}
