import { InferenceError } from "../../../hub/error.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { BodyLosses } from "./body-losses.ts";
import type { CachePoints } from "./cache-points.ts";

/** Members of each type of block that are read here; any other is a loss, and so is a block of another type. */
const READ: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(["type", "text"]),
  image: new Set(["type", "source"]),
  document: new Set(["type", "source", "title", "context", "citations"]),
  search_result: new Set(["type", "title", "content"]),
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

/** The formats of documents that may be cited. */
const CITED: ReadonlySet<unknown> = new Set(["pdf", "txt"]);

/** The text of a result that says nothing: Converse takes no empty one. */
const NOTHING = "(empty)";

/** The abilities of models for blocks. */
interface BlockAbilities {
  readonly points: CachePoints;
  readonly takesCitations: boolean;
}

/** Encodes the blocks of one request of the Messages format as those of Converse. */
export class BlockEncoder {
  readonly losses: BodyLosses;
  readonly #points: CachePoints;
  readonly #takesCitations: boolean;
  /** The tools that were called. Converse takes calls and their results only beside tools. */
  readonly called = new Set<unknown>();
  #documents = 0;
  #isInResult = false;

  constructor(losses: BodyLosses, { points, takesCitations }: BlockAbilities) {
    this.losses = losses;
    this.#points = points;
    this.#takesCitations = takesCitations;
  }

  /** Encodes a text or a list of blocks. Blank texts, which Converse refuses, are left out. */
  list(content: unknown, path: string): JsonObject[] {
    if (typeof content === "string") return getText(content);
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
        return getText(block["text"]);
      case "image":
        return [this.#image(block["source"], path)];
      case "document":
        return this.#document(block, path);
      case "search_result":
        this.losses.at(`${path}.title`);
        return this.list(block["content"], `${path}.content`);
      case "tool_use":
        this.called.add(block["name"]);
        return [{ toolUse: { toolUseId: block["id"], name: block["name"], input: block["input"] } }];
      default:
        return [this.#result(block, path)];
    }
  }

  #result({ tool_use_id: toolUseId, content: parts, is_error: isError }: JsonObject, path: string): JsonObject {
    this.#isInResult = true;
    const content = this.list(parts, `${path}.content`);
    this.#isInResult = false;
    const status = isError === true ? { status: "error" } : {};
    return { toolResult: { toolUseId, content: content.length > 0 ? content : [{ text: NOTHING }], ...status } };
  }

  #image(source: unknown, path: string): JsonObject {
    const { type, media_type: mediaType, data } = isJsonObject(source) ? source : {};
    const [, format] = IMAGES.exec(String(mediaType)) ?? [];
    if (type === "base64" && format !== undefined) return { image: { format, source: { bytes: data } } };
    throw InferenceError.invalid(path, "this model accepts images only inline, as PNG, JPEG, GIF or WebP");
  }

  #document(block: JsonObject, path: string): JsonObject[] {
    const { source, title } = block;
    const { type, media_type: mediaType, data, content } = isJsonObject(source) ? source : {};
    if (type === "content") {
      const parts = this.list(content, `${path}.content`);
      const mayBeCited = parts.length > 0 && parts.every((part) => typeof part["text"] === "string");
      const citing = this.#citing(block, path, mayBeCited);
      if (isCited(citing))
        return [{ document: { name: this.#name(title, path), source: { content: parts }, ...citing } }];
      this.#lose(citing, path);
      if (typeof title === "string") this.losses.at(`${path}.title`);
      return parts;
    }
    const format = DOCUMENTS[String(mediaType)];
    if ((type !== "base64" && type !== "text") || format === undefined || typeof data !== "string") {
      throw InferenceError.invalid(path, "this model accepts documents only inline, as PDF or text");
    }
    const name = this.#name(title, path);
    const citing = this.#citing(block, path, CITED.has(format));
    // Of bytes, only those of PDF can be cited.
    if (isCited(citing) && format === "txt") {
      const text = type === "text" ? data : Buffer.from(data, "base64").toString("utf8");
      return [{ document: { format, name, source: { text }, ...citing } }];
    }
    const bytes = type === "text" ? Buffer.from(data, "utf8").toString("base64") : data;
    return [{ document: { format, name, source: { bytes }, ...citing } }];
  }

  #name(title: unknown, path: string): string {
    this.#documents += 1;
    const name = getName(title, this.#documents);
    if (typeof title === "string" && name !== `${title} ${this.#documents}`) this.losses.at(`${path}.title`);
    return name;
  }

  /** Returns how a document is cited. Documents in results of tools cannot be, and no model but Claude cites any. */
  #citing({ context, citations }: JsonObject, path: string, mayBeCited: boolean): JsonObject {
    const { enabled, ...others } = isJsonObject(citations) ? citations : {};
    const isTaken = this.#takesCitations && !this.#isInResult;
    const options = {
      ...(typeof context === "string" && { context }),
      ...(typeof enabled === "boolean" && { citations: { enabled } }),
    };
    if (!isTaken || (enabled === true && !mayBeCited)) {
      this.#lose(options, path);
      return {};
    }
    for (const name of Object.keys(others)) this.losses.member(path, `citations.${name}`);
    return options;
  }

  /** Names what is said of citations and does not go out. That there are none is the default. */
  #lose({ context, citations }: JsonObject, path: string): void {
    if (context !== undefined) this.losses.at(`${path}.context`);
    if (isCited({ citations })) this.losses.member(path, "citations");
  }
}

function isCited({ citations }: JsonObject): boolean {
  return isJsonObject(citations) && citations["enabled"] === true;
}

function getText(text: unknown): JsonObject[] {
  return typeof text === "string" && text.trim() !== "" ? [{ text }] : [];
}

/** Names of documents have letters, digits, single spaces and few signs, and differ within a request. */
function getName(title: unknown, number: number): string {
  const clean = typeof title === "string" ? title.replaceAll(/[^A-Za-z0-9()[\]-]+/g, " ").trim() : "";
  return clean === "" ? `Document ${number}` : `${clean.slice(0, 150).trim()} ${number}`;
}
