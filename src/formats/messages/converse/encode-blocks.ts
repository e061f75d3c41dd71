import { InferenceError } from "../../../hub/error.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { BodyLosses } from "./body-losses.ts";
import type { CachePoints } from "./cache-points.ts";

/** Members of each type of block that are read here; any other is a loss, and so is a block of another type. */
const READ: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(["type", "text"]),
  image: new Set(["type", "source"]),
  document: new Set(["type", "source", "title"]),
  tool_use: new Set(["type", "id", "name", "input"]),
  tool_result: new Set(["type", "tool_use_id", "content", "is_error"]),
};

const IMAGES = /^image\/(png|jpeg|gif|webp)$/;

/** The formats of documents by their media types. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "text/plain": "txt",
  "text/csv": "csv",
  "text/html": "html",
  "text/markdown": "md",
};

/** The text of a result that says nothing: Converse takes no empty one. */
const NOTHING = "(empty)";

/** Encodes the blocks of one request of the Messages format as those of Converse. */
export class BlockEncoder {
  readonly losses: BodyLosses;
  readonly #points: CachePoints;
  /** The tools that were called. Converse takes calls and their results only beside tools. */
  readonly called = new Set<unknown>();
  #documents = 0;
  #isInResult = false;

  constructor(losses: BodyLosses, points: CachePoints) {
    this.losses = losses;
    this.#points = points;
  }

  /** Encodes a text or a list of blocks. Blank texts, which Converse refuses, are left out. */
  list(content: unknown, path: string): JsonObject[] {
    if (typeof content === "string") return textOf(content);
    if (!Array.isArray(content)) return [];
    return content.flatMap((block, index) => (isJsonObject(block) ? this.#marked(block, `${path}[${index}]`) : []));
  }

  /** A point needs something before it, and a result of a tool takes none inside. */
  #marked(block: JsonObject, path: string): JsonObject[] {
    const encoded = this.#encode(block, path);
    const mark = block["cache_control"];
    const at = { path, place: `${path}.cache_mark`, losses: this.losses };
    if (encoded.length > 0 && !this.#isInResult) return [...encoded, ...this.#points.inPrompt(mark, at)];
    if (mark !== undefined && mark !== null) this.losses.at(at.place);
    return encoded;
  }

  #encode(block: JsonObject, path: string): JsonObject[] {
    const read = READ[String(block["type"])];
    if (read === undefined) {
      this.losses.at(path);
      return [];
    }
    for (const [name, value] of Object.entries(block)) {
      if (read.has(name) || name === "cache_control" || value === undefined || value === null) continue;
      this.losses.member(path, name);
    }
    switch (block["type"]) {
      case "text":
        return textOf(block["text"]);
      case "image":
        return [this.#image(block["source"], path)];
      case "document":
        return this.#document(block, path);
      case "tool_use":
        this.called.add(block["name"]);
        return [{ toolUse: { toolUseId: block["id"], name: block["name"], input: block["input"] } }];
      default:
        return [this.#result(block, path)];
    }
  }

  #result({ tool_use_id: toolUseId, content: said, is_error: isError }: JsonObject, path: string): JsonObject {
    this.#isInResult = true;
    const content = this.list(said, `${path}.content`);
    this.#isInResult = false;
    const status = isError === true ? { status: "error" } : {};
    return { toolResult: { toolUseId, content: content.length > 0 ? content : [{ text: NOTHING }], ...status } };
  }

  #image(source: unknown, path: string): JsonObject {
    const { type, media_type: mediaType, data } = isJsonObject(source) ? source : {};
    const [, format] = IMAGES.exec(String(mediaType)) ?? [];
    if (type === "base64" && format !== undefined) return { image: { format, source: { bytes: data } } };
    throw InferenceError.invalid(path, "this model takes images by their bytes, as PNG, JPEG, GIF or WebP");
  }

  #document({ source, title }: JsonObject, path: string): JsonObject[] {
    const { type, media_type: mediaType, data, content } = isJsonObject(source) ? source : {};
    if (type === "content") {
      if (typeof title === "string") this.losses.at(`${path}.title`);
      return this.list(content, `${path}.content`);
    }
    const format = DOCUMENTS[String(mediaType)];
    if ((type !== "base64" && type !== "text") || format === undefined || typeof data !== "string") {
      throw InferenceError.invalid(path, "this model takes documents by their bytes, as PDF or text");
    }
    this.#documents += 1;
    const name = nameOf(title, this.#documents);
    if (typeof title === "string" && name !== `${title} ${this.#documents}`) this.losses.at(`${path}.title`);
    const bytes = type === "text" ? Buffer.from(data, "utf8").toString("base64") : data;
    return [{ document: { format, name, source: { bytes } } }];
  }
}

function textOf(text: unknown): JsonObject[] {
  return typeof text === "string" && text.trim() !== "" ? [{ text }] : [];
}

/** Names of documents have letters, digits, single spaces and few signs, and differ within a request. */
function nameOf(title: unknown, number: number): string {
  const clean = typeof title === "string" ? title.replaceAll(/[^A-Za-z0-9()[\]-]+/g, " ").trim() : "";
  return clean === "" ? `Document ${number}` : `${clean.slice(0, 150).trim()} ${number}`;
}
