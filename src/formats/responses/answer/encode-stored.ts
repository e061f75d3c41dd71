import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  type GenerateResponse,
  InferenceStatus,
  type StoredInference,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceError } from "../../../hub/error.ts";
import type { EventEncoder } from "../../shared/codec.ts";
import type { JsonObject } from "../../shared/json.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { encodeResourceError } from "./encode-error.ts";
import { type AnsweredRequest, createEventEncoder } from "./encode-events.ts";
import { encodeInputItems } from "./encode-input-items.ts";
import { encodeItems } from "./encode-item.ts";
import { encodeOutcome } from "./encode-outcome.ts";
import { encodeResource, type Outcome, outputOptions } from "./encode-resource.ts";
import { encodeResponse } from "./encode-response.ts";
import { OutputList } from "./output-list.ts";

/**
 * Encodes a stored answer as its client got it, or what there is of it; undefined for an inference that did not come in
 * this format. `error` is what it failed with.
 */
export function encodeStored(inference: StoredInference, error?: InferenceError): string | undefined {
  const { output, status } = inference;
  const request = getRequest(inference);
  if (request === undefined || output === undefined) return undefined;
  const unfinished = UNFINISHED[status];
  if (unfinished !== undefined) return encodeUnfinished(output, request.body, { status: unfinished, error });
  return encodeResponse(output, request, Number(output.createdAt?.seconds ?? 0));
}

/** The status of answers without an end of their own. */
const UNFINISHED: Partial<Record<InferenceStatus, Outcome["status"]>> = {
  [InferenceStatus.QUEUED]: "queued",
  [InferenceStatus.IN_PROGRESS]: "in_progress",
  [InferenceStatus.FAILED]: "failed",
  [InferenceStatus.CANCELED]: "cancelled",
};

interface Unfinished {
  readonly status: Outcome["status"];
  readonly error: InferenceError | undefined;
}

function encodeUnfinished(output: GenerateResponse, body: JsonObject, { status, error }: Unfinished): string {
  const list = new OutputList(output.id, outputOptions(body));
  for (const block of output.content) list.add(block);
  const identity = { id: output.id, model: output.model, createdAt: Number(output.createdAt?.seconds ?? 0) };
  return JSON.stringify(
    encodeResource(body, identity, {
      status,
      completedAt: null,
      error: error === undefined ? null : encodeResourceError(error),
      incompleteDetails: null,
      output: encodeItems(list.items, "incomplete"),
      usage: null,
    }),
  );
}

/**
 * Creates the encoder that gives a stored answer again as a stream, from after an event on; undefined as for
 * encodeStored().
 */
export function createStoredEncoder(inference: StoredInference, after: number | undefined): EventEncoder | undefined {
  const request = getRequest(inference);
  return request && createEventEncoder(request, () => Math.floor(Date.now() / 1000), after);
}

/** Returns the request; undefined if it did not come in this format. */
function getRequest({ input, dialect, echo }: StoredInference): AnsweredRequest | undefined {
  if (input === undefined || dialect !== Dialect.RESPONSES) return undefined;
  return { input, body: readResponsesJson(echo) ?? {} };
}

/** Encodes what the model was given for an answer: the conversation that it continues, and what was asked then. */
export function encodeStoredInput(inference: StoredInference, previous: readonly StoredInference[]): JsonObject[] {
  const before = previous.flatMap((earlier) => [...ownInput(earlier), ...encodeStoredOutput(earlier.output)]);
  return [...before, ...ownInput(inference)];
}

/** Encodes every item of a stored inference: of what was asked, and of what was answered. */
export function encodeStoredItems(inference: StoredInference): JsonObject[] {
  return [...ownInput(inference), ...encodeStoredOutput(inference.output)];
}

function ownInput({ input, output }: StoredInference): JsonObject[] {
  return encodeInputItems(input?.messages ?? [], output?.id ?? "");
}

function encodeStoredOutput(output: GenerateResponse | undefined): JsonObject[] {
  if (output === undefined) return [];
  const list = new OutputList(output.id, { sources: true });
  for (const block of output.content) list.add(block);
  return [...encodeOutcome(output.finished, list.items, 0).output];
}
