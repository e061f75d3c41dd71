import { create } from "@bufbuild/protobuf";
import { SummaryDeltaSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { StringBuilder } from "../../../lib/string-builder.ts";
import { brokenAnswer } from "../../shared/broken-answer.ts";
import { isJsonObject, type JsonObject, toObject, toText, unknownMembers } from "../../shared/json.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { MODELLED } from "../members.ts";
import { readTexts } from "../reasoning-item.ts";
import { type BlockSink, earlyMembers, findRest, type ItemReader, lateMembers } from "./block-sink.ts";

/** Types of parts that are text and nothing else; some servers say only that. */
const TEXTS: ReadonlySet<unknown> = new Set(["summary_text", "reasoning_text", "text"]);
const PLAIN = new Set(["type", "text"]);

/** Parts of a summary that may begin later than one behind them. */
const MOST_SKIPPED = 16;

/** Reads a reasoning item: summary, raw text, encrypted form. */
export class ReasoningReader implements ItemReader {
  readonly #added: JsonObject;
  readonly #sink: BlockSink;
  readonly #seals: boolean;
  readonly #summary: StringBuilder[] = [];
  /** Raw text by the position of its part. */
  readonly #content = new Map<number, StringBuilder>();

  /** `seals`: raw text that its maker did not encrypt gets an empty encrypted form. */
  constructor(added: JsonObject, { sink, seals }: { readonly sink: BlockSink; readonly seals: boolean }) {
    this.#added = added;
    this.#sink = sink;
    this.#seals = seals;
    const id = toText(added.id);
    sink.start({
      kind: { case: "thinking", value: { id } },
      itemId: id,
      itemExtension: responsesJson(earlyMembers(added, MODELLED.reasoning)),
    });
  }

  read(event: JsonObject): boolean {
    switch (event.type) {
      case "response.reasoning_summary_part.added":
        this.#openSummary(getIndex(event.summary_index));
        return true;
      case "response.reasoning_summary_text.delta":
        this.#appendSummary(getIndex(event.summary_index), toText(event.delta));
        return true;
      case "response.reasoning_summary_text.done":
        this.#completeSummary(getIndex(event.summary_index), event.text);
        return true;
      case "response.reasoning_summary_part.done":
        this.#completeSummary(getIndex(event.summary_index), toObject(event.part).text);
        return true;
      case "response.content_part.added":
        return true;
      case "response.reasoning_text.delta":
        this.#appendText(getIndex(event.content_index), toText(event.delta));
        return true;
      case "response.reasoning_text.done":
        this.#completeText(getIndex(event.content_index), event.text);
        return true;
      case "response.content_part.done":
        this.#completeText(getIndex(event.content_index), toObject(event.part).text);
        return true;
      default:
        return false;
    }
  }

  close(item: JsonObject | undefined): void {
    for (const [index, text] of readTexts(item?.summary).entries()) this.#completeSummary(index, text);
    for (const [index, text] of readTexts(item?.content).entries()) this.#completeText(index, text);
    // The announcement may hold an encrypted form too, which is not yet the one to send back.
    const sealed = item?.encrypted_content ?? (this.#seals && this.#content.size > 0 ? "" : undefined);
    if (typeof sealed === "string") this.#sink.delta({ case: "opaque", value: sealed });
    const late = { ...lateMembers(this.#added, item, MODELLED.reasoning), ...foreignLists(item) };
    this.#sink.end(Object.keys(late).length > 0 ? late : undefined);
  }

  /** Opens the parts up to this one: one event does not stand for thousands of them. */
  #openSummary(part: number): StringBuilder {
    if (part > this.#summary.length + MOST_SKIPPED) {
      throw brokenAnswer(`part ${part} of a summary follows ${this.#summary.length} parts`);
    }
    while (this.#summary.length < part) this.#addSummary();
    return this.#summary[part] ?? this.#addSummary();
  }

  #addSummary(): StringBuilder {
    const text = new StringBuilder();
    this.#summaryDelta(this.#summary.length, "");
    this.#summary.push(text);
    return text;
  }

  #appendSummary(part: number, text: string): void {
    const open = this.#openSummary(part);
    if (text === "") return;
    open.add(text);
    this.#summaryDelta(part, text);
  }

  #completeSummary(part: number, whole: unknown): void {
    this.#appendSummary(part, findRest(whole, this.#summary[part]));
  }

  #summaryDelta(part: number, text: string): void {
    this.#sink.delta({ case: "summary", value: create(SummaryDeltaSchema, { part, text }) });
  }

  #appendText(part: number, text: string): void {
    if (text === "") return;
    const open = this.#content.get(part) ?? new StringBuilder();
    this.#content.set(part, open);
    open.add(text);
    this.#sink.delta({ case: "thinking", value: text });
  }

  #completeText(part: number, whole: unknown): void {
    this.#appendText(part, findRest(whole, this.#content.get(part)));
  }
}

/** Returns the lists of an item with parts of which the hub has not all. */
function foreignLists(item: JsonObject | undefined): JsonObject {
  const lists: JsonObject = {};
  for (const name of ["summary", "content"]) {
    const parts = item?.[name];
    if (Array.isArray(parts) && !parts.every(isPlainText)) lists[name] = parts;
  }
  return lists;
}

function isPlainText(part: unknown): boolean {
  if (!isJsonObject(part) || typeof part.text !== "string" || !TEXTS.has(part.type)) return false;
  return unknownMembers(part, PLAIN) === undefined;
}

function getIndex(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0;
}
