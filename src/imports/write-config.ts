import { Document, isMap } from "yaml";
import type { ServedKind } from "./providers.ts";

/** A model as `attune.yaml` has it. */
export interface WrittenModel {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly family: "messages" | "chat" | "responses";
  readonly embeddings?: true;
  readonly contextWindow?: number | undefined;
  readonly maxInputTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly thinking?: string | undefined;
  readonly price?: object | undefined;
  readonly deployments: readonly WrittenPlace[];
}

/** A place of a model; what it does not say is as the model has it. */
interface WrittenPlace {
  readonly upstream: string;
  readonly model: string;
  readonly price?: object | undefined;
  readonly contextWindow?: number | undefined;
}

/** Returns the format that the models of a kind of upstream are native to. */
export function getFamily(kind: ServedKind): WrittenModel["family"] {
  if (kind === "anthropic-messages") return "messages";
  return kind === "openai-responses" ? "responses" : "chat";
}

/** Writes a text in which nothing refers to a variable. */
export function plainText(text: string): string {
  return text.split("${").join("$${");
}

interface WrittenConfig {
  readonly server?: object;
  readonly upstreams: object;
  readonly models: readonly WrittenModel[];
  readonly quotas?: object;
}

/** Writes the text of `attune.yaml`; a comment stands above each model whose limits are not known. */
export function writeConfig(config: WrittenConfig, command: string): string {
  const document = new Document(config);
  document.commentBefore = ` Made by '${command}'. 'attune check' reports every mistake.`;
  for (const [index, model] of config.models.entries()) {
    const written = document.getIn(["models", index]);
    const unknown = (["contextWindow", "maxOutputTokens"] as const).filter((name) => model[name] === undefined);
    if (unknown.length === 0 || !isMap(written)) continue;
    written.commentBefore = ` not known, and not checked until you add it: ${unknown.join(", ")}`;
  }
  return document.toString({ lineWidth: 0 });
}
