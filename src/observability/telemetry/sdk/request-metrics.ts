import type { Attributes, HrTime } from "@opentelemetry/api";
import type { HistogramMetricData } from "@opentelemetry/sdk-metrics";
import { ErrorReasonSchema } from "../../../../gen/attune/error/v1/error_pb.ts";
import type { RequestSummary, SummarizedAttempt, SummarizedInference } from "../../../hub/request-summary.ts";
import { enumName } from "../../../lib/protobuf/enum-name.ts";
import type { Peer, TelemetryPorts } from "../telemetry.ts";
import { Histogram, type Series } from "./histogram.ts";
import * as names from "./names.ts";

/** Most keys of a cache; values beyond them are made anew for each use. */
const MOST_KEYS = 4000;

/** Keeps what belongs to a key; the key of a value must be all that its making depends on. */
class SeriesCache<Value> {
  readonly #known = new Map<string, Value>();

  get(key: string, make: () => Value): Value {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#known.size < MOST_KEYS) this.#known.set(key, made);
    return made;
  }
}

// The boundaries are those that the conventions ask for.
const OPERATION = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const FIRST_TOKEN = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const REQUEST = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

const seconds = (name: string, boundaries: readonly number[], description: string): Histogram =>
  new Histogram({ name, description, unit: "s", boundaries });

/** The series of the attempts that are alike. */
interface AttemptSeries {
  readonly duration: Series;
  readonly firstChunk: Series;
  readonly input: Series;
  /** Undefined where nothing is generated. */
  readonly output: Series | undefined;
}

/** The series of the inferences that are alike. */
interface InferenceSeries {
  readonly duration: Series;
  readonly firstToken: Series;
}

/** Counts requests that have ended in the metrics of the conventions (1.45). */
export class RequestMetrics {
  readonly #ports: Pick<TelemetryPorts, "peerOf" | "urlScheme">;
  readonly #http = seconds("http.server.request.duration", REQUEST, "Duration of HTTP server requests.");
  readonly #rpc = seconds("rpc.server.call.duration", REQUEST, "Duration of RPC server calls.");
  readonly #operation = seconds("gen_ai.client.operation.duration", OPERATION, "Duration of a call of an upstream.");
  readonly #firstChunk = seconds(
    "gen_ai.client.operation.time_to_first_chunk",
    FIRST_TOKEN,
    "From a streamed call of an upstream to the first event of its answer.",
  );
  readonly #tokens = new Histogram({
    name: "gen_ai.client.token.usage",
    unit: "{token}",
    boundaries: TOKENS,
    description: "Tokens of a call of an upstream.",
  });
  readonly #inference = seconds("gen_ai.server.request.duration", OPERATION, "Duration of an inference.");
  readonly #firstToken = seconds(
    "gen_ai.server.time_to_first_token",
    FIRST_TOKEN,
    "From the beginning of an inference to the first content of its answer.",
  );
  readonly #requestSeries = new SeriesCache<Series | undefined>();
  readonly #attemptSeries = new SeriesCache<AttemptSeries>();
  readonly #inferenceSeries = new SeriesCache<InferenceSeries>();

  constructor(ports: Pick<TelemetryPorts, "peerOf" | "urlScheme">) {
    this.#ports = ports;
  }

  count(summary: RequestSummary): void {
    const { inference } = summary;
    if (!summary.isBackground) this.#countRequest(summary);
    if (inference === undefined) return;
    this.#countInference(inference);
    for (const attempt of inference.attempts) this.#countAttempt(attempt, inference);
  }

  /** Returns all that was counted since the start. */
  collect(startTime: HrTime, endTime: HrTime): HistogramMetricData[] {
    return [
      this.#http,
      this.#rpc,
      this.#operation,
      this.#firstChunk,
      this.#tokens,
      this.#inference,
      this.#firstToken,
    ].flatMap((histogram) => {
      const data = histogram.collect(startTime, endTime);
      return data.dataPoints.length === 0 ? [] : [data];
    });
  }

  #countRequest({ route, status, outcome, error, durationMs }: RequestSummary): void {
    const reason = outcome === "failed" && error !== undefined ? error.reason : -1;
    const series = this.#requestSeries.get(`${route}\n${status}\n${reason}`, () => {
      const failure = reason === -1 ? {} : { [names.ERROR_TYPE]: enumName(ErrorReasonSchema, reason) };
      if (route.startsWith("attune.")) {
        // Connect, gRPC and gRPC-Web are counted together.
        return this.#rpc.open({ [names.RPC_SYSTEM]: "connectrpc", [names.RPC_METHOD]: route, ...failure });
      }
      const [method = "", path] = route.split(" ");
      // A turn of a WebSocket connection is no request of HTTP.
      if (method === "WebSocket") return undefined;
      const scheme = this.#ports.urlScheme;
      return this.#http.open(httpAttributes({ method, path, status, scheme }, failure));
    });
    series?.record(durationMs / 1000);
  }

  #countInference({ input, model, latencyMs, timeToFirstTokenMs, error }: SummarizedInference): void {
    const operation = names.getOperation(input);
    const { duration, firstToken } = this.#inferenceSeries.get(`${operation}\n${model}\n${error?.reason}`, () => {
      const attributes = { [names.OPERATION]: operation, [names.PROVIDER]: "attune", [names.REQUEST_MODEL]: model };
      return {
        duration: this.#inference.open({ ...attributes, ...failureAttributes(error) }),
        firstToken: this.#firstToken.open(attributes),
      };
    });
    duration.record(latencyMs / 1000);
    if (timeToFirstTokenMs !== undefined && error === undefined) firstToken.record(timeToFirstTokenMs / 1000);
  }

  #countAttempt(attempt: SummarizedAttempt, { streamed, input }: SummarizedInference): void {
    const { upstreamModel, latencyMs, firstEventMs, usage, error } = attempt;
    const peer = this.#ports.peerOf(attempt.upstream);
    const operation = names.getOperation(input);
    const place = `${peer.provider}\n${peer.address}\n${peer.port}\n${upstreamModel}`;
    const key = `${operation}\n${place}\n${error?.reason}`;
    const series = this.#attemptSeries.get(key, () => this.#openAttempt(attempt, peer, operation));
    series.duration.record(latencyMs / 1000);
    if (streamed && firstEventMs !== undefined) series.firstChunk.record(firstEventMs / 1000);
    if (usage === undefined) return;
    series.input.record(usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens);
    series.output?.record(usage.outputTokens);
  }

  #openAttempt({ upstreamModel, error }: SummarizedAttempt, peer: Peer, operation: string): AttemptSeries {
    const { provider, address, port } = peer;
    const attributes: Attributes = {
      [names.OPERATION]: operation,
      [names.PROVIDER]: provider,
      [names.REQUEST_MODEL]: upstreamModel,
      ...(address !== undefined && { [names.SERVER_ADDRESS]: address, [names.SERVER_PORT]: port }),
    };
    const failure = failureAttributes(error);
    return {
      duration: this.#operation.open({ ...attributes, ...failure }),
      firstChunk: this.#firstChunk.open({ ...attributes, ...failure }),
      input: this.#tokens.open({ ...attributes, ...failure, [names.TOKEN_TYPE]: "input" }),
      output:
        operation === names.EMBEDDINGS
          ? undefined
          : this.#tokens.open({ ...attributes, ...failure, [names.TOKEN_TYPE]: "output" }),
    };
  }
}

/** The request of a series over HTTP. */
interface HttpRequest {
  readonly method: string;
  readonly path: string | undefined;
  readonly status: number | undefined;
  readonly scheme: string;
}

/** A route that does not exist has no method that is known. */
function httpAttributes({ method, path, status, scheme }: HttpRequest, failure: Attributes): Attributes {
  return {
    [names.HTTP_METHOD]: path === undefined ? "_OTHER" : method,
    "url.scheme": scheme,
    ...(path !== undefined && { [names.HTTP_ROUTE]: path }),
    ...(status !== undefined && { [names.HTTP_STATUS]: status }),
    ...failure,
  };
}

function failureAttributes(error: SummarizedAttempt["error"]): Attributes {
  return error === undefined ? {} : { [names.ERROR_TYPE]: enumName(ErrorReasonSchema, error.reason) };
}
