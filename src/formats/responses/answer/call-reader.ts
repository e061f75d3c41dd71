import { ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import { StringBuilder } from "../../../lib/string-builder.ts";
import { argumentsAt, calledName, textAt } from "../../shared/broken-answer.ts";
import { type JsonObject, toText } from "../../shared/json.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { RestOfArguments } from "../../shared/rest-of-arguments.ts";
import { MODELLED } from "../members.ts";
import { type BlockSink, earlyMembers, findRest, type ItemReader, lateMembers } from "./block-sink.ts";

/** Reads a call of a function or of a custom tool. */
export class CallReader implements ItemReader {
  readonly #added: JsonObject;
  readonly #type: "function_call" | "custom_tool_call";
  readonly #sink: BlockSink;
  readonly #streamed = new StringBuilder();
  readonly #rest = new RestOfArguments();
  #isBegun = false;

  constructor(added: JsonObject, type: "function_call" | "custom_tool_call", sink: BlockSink) {
    this.#added = added;
    this.#type = type;
    this.#sink = sink;
    // Some servers tell both only at the end, and nobody could call a tool without a name.
    if (toText(added.name) !== "" && toText(added.call_id) !== "") this.#begin(added);
  }

  #begin(item: JsonObject): void {
    this.#isBegun = true;
    const kind = this.#type === "custom_tool_call" ? ToolKind.CUSTOM : ToolKind.FUNCTION;
    // Arguments that stand in the announcement come again with the deltas, or at the end.
    const value = { id: toText(item.call_id) || toText(item.id), name: calledName(item.name), kind };
    this.#sink.start({
      kind: { case: "toolUse", value },
      itemId: toText(this.#added.id) || toText(item.id),
      itemExtension: responsesJson(earlyMembers(this.#added, MODELLED[this.#type])),
    });
    const text = this.#streamed.toString();
    if (text !== "") this.#sink.delta({ case: "arguments", value: text });
  }

  read(event: JsonObject): boolean {
    switch (event.type) {
      case "response.function_call_arguments.delta":
        this.#append(this.#rest.read(toText(event.delta), this.#streamed));
        return true;
      case "response.custom_tool_call_input.delta":
        this.#append(toText(event.delta));
        return true;
      case "response.function_call_arguments.done":
        this.#append(findRest(argumentsAt(event.arguments), this.#streamed));
        return true;
      case "response.custom_tool_call_input.done":
        this.#append(findRest(event.input, this.#streamed));
        return true;
      default:
        return false;
    }
  }

  close(item: JsonObject | undefined): void {
    if (!this.#isBegun) this.#begin({ ...this.#added, ...item });
    const isCustom = this.#type === "custom_tool_call";
    const whole = isCustom ? textAt(item?.input, "the input of a call") : argumentsAt(item?.arguments);
    this.#append(findRest(whole, this.#streamed));
    // Some servers say "" of no arguments, which is no JSON; of a call that was cut nobody knows.
    const isCut = isCustom || item?.status === "incomplete";
    if (!isCut && this.#streamed.toString().trim() === "") this.#append("{}");
    this.#sink.end(lateMembers(this.#added, item, MODELLED[this.#type]));
  }

  #append(text: string): void {
    if (text === "") return;
    this.#streamed.add(text);
    if (this.#isBegun) this.#sink.delta({ case: "arguments", value: text });
  }
}
