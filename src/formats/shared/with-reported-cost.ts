import { create } from "@bufbuild/protobuf";
import { BillingFactsSchema, type Usage, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { CostPlace } from "../../catalog/facts.ts";
import { finishedEvent } from "../../hub/events.ts";
import { NANOS_PER_USD } from "../../vocabulary/money.ts";
import { isJsonObject, type JsonObject, lookAtJsonObject } from "./json.ts";
import type { ErrorAnswer, EventDecoder } from "./protocol.ts";

type Headers = ErrorAnswer["headers"];

/** More than this for one answer is a mistake in a unit, and is not believed. */
const MOST_USD = 100_000;

/**
 * Wraps a decoder so that the usage at the end of an answer has the cost that its server reports. An answer that broke
 * off has none: whatever was reported by then is a part.
 */
export function withReportedCost(decoder: EventDecoder, places: readonly CostPlace[], headers: Headers): EventDecoder {
  const mark = (events: GenerateEvent[], answerHeaders: Headers): GenerateEvent[] => {
    const last = events.at(-1)?.event;
    if (last?.case !== "finished") return events;
    const usage = addReportedCost(last.value.usage, places, answerHeaders);
    return usage === last.value.usage ? events : [...events.slice(0, -1), finishedEvent({ ...last.value, usage })];
  };
  return {
    decode: (message) => mark(decoder.decode(message), {}),
    close: () => mark(decoder.close(), {}),
    decodeWhole: (body) => mark(decoder.decodeWhole(body), headers),
  };
}

function addReportedCost(usage: Usage | undefined, places: readonly CostPlace[], headers: Headers): Usage | undefined {
  const members = (usage?.extension && lookAtJsonObject(usage.extension.json)) ?? {};
  const usd = places.map((place) => readPlace(place, members, headers)).find((found) => found !== undefined);
  if (usd === undefined) return usage;
  const known = usage ?? create(UsageSchema);
  const billing = known.billing ?? create(BillingFactsSchema);
  const reportedCostNanos = BigInt(Math.round(usd * NANOS_PER_USD));
  return { ...known, billing: { ...billing, reportedCostNanos } };
}

/** Returns the cost in USD; undefined where the place has no figure, or does not count. */
function readPlace(place: CostPlace, usage: JsonObject, headers: Headers): number | undefined {
  const { header, members, onlyIf, unless, unitsPerUsd = 1, zeroIsUnknown } = place;
  if (onlyIf !== undefined && readMember(usage, onlyIf) !== true) return undefined;
  if (unless !== undefined && readMember(usage, unless) === true) return undefined;
  const values =
    header === undefined ? members?.map((path) => readMember(usage, path)) : [headers[header.toLowerCase()]];
  const usd = (values ?? []).reduce<number>((sum, value) => sum + toFigure(value), 0) / unitsPerUsd;
  if (values === undefined || values.length === 0 || (usd === 0 && zeroIsUnknown === true)) return undefined;
  return usd <= MOST_USD ? usd : undefined;
}

function readMember(usage: JsonObject, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      usage,
    );
}

const DECIMAL = /^\d{1,20}(?:\.\d{1,40})?(?:e-?\d{1,2})?$/i;

/** Returns an amount that is not negative, also one that is written as text; NaN for anything else. */
function toFigure(value: unknown): number {
  const figure = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
  return typeof figure === "number" && Number.isFinite(figure) && figure >= 0 ? figure : Number.NaN;
}
