import {
  type AudioBlock,
  type ContentBlock,
  Dialect,
  DialectSchema,
  type DocumentBlock,
  type ImageBlock,
  type InlineData,
  type RawJson,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { toBase64 } from "../../../hub/to-base64.ts";
import type { TextParts, TextView } from "./text-parts.ts";

/** The location of a file: at an address, at the upstream, or in the request. */
type FileView =
  | { readonly at: "url"; readonly url: string }
  | { readonly at: "upstream"; readonly fileId: string }
  | { readonly at: "request"; readonly part: number; readonly bytes: number; readonly mediaType: string }
  | { readonly at: "nowhere" };

/** A block of content, as it is shown. */
export type BlockView =
  | { readonly kind: "text" | "refusal"; readonly text: TextView }
  | { readonly kind: "image"; readonly file: FileView; readonly detail: string | undefined }
  | { readonly kind: "audio"; readonly file: FileView }
  | {
      readonly kind: "document";
      readonly title: string | undefined;
      readonly context: TextView | undefined;
      readonly file: FileView | undefined;
      readonly text: TextView | undefined;
      readonly blocks: readonly BlockView[];
    }
  | {
      readonly kind: "toolUse";
      readonly id: string;
      readonly name: string;
      readonly arguments: TextView;
      readonly isCustom: boolean;
    }
  | {
      readonly kind: "toolResult";
      readonly toolUseId: string;
      readonly isError: boolean;
      readonly blocks: readonly BlockView[];
    }
  | {
      readonly kind: "thinking";
      readonly text: TextView;
      readonly summary: readonly TextView[];
      readonly isSealed: boolean;
    }
  | { readonly kind: "redactedThinking"; readonly characters: number }
  | { readonly kind: "opaque"; readonly dialect: string; readonly json: TextView }
  | { readonly kind: "unknown" };

/** Turns a block into what is shown of it. */
export function viewBlock({ kind }: ContentBlock, parts: TextParts): BlockView {
  switch (kind.case) {
    case "text":
    case "refusal":
      return { kind: kind.case, text: parts.view(kind.value.text) };
    case "image":
      return { kind: "image", file: viewFile(kind.value.source, parts), detail: kind.value.detail };
    case "audio":
      return { kind: "audio", file: viewAudio(kind.value, parts) };
    case "document":
      return viewDocument(kind.value, parts);
    case "toolUse": {
      const { id, name } = kind.value;
      const isCustom = kind.value.kind === ToolKind.CUSTOM;
      return { kind: "toolUse", id, name, arguments: parts.view(kind.value.arguments), isCustom };
    }
    case "toolResult": {
      const { toolUseId, isError, content } = kind.value;
      return { kind: "toolResult", toolUseId, isError, blocks: content.map((block) => viewBlock(block, parts)) };
    }
    case "thinking": {
      const { text, summary, opaque } = kind.value;
      const views = summary.map((part) => parts.view(part));
      return { kind: "thinking", text: parts.view(text), summary: views, isSealed: opaque !== undefined };
    }
    case "redactedThinking":
      return { kind: "redactedThinking", characters: kind.value.data.length };
    case "opaque":
      return viewOpaque(kind.value, parts);
    case undefined:
      return { kind: "unknown" };
  }
}

function viewOpaque({ dialect, json }: RawJson, parts: TextParts): BlockView {
  const isUpstreams = dialect === Dialect.UNSPECIFIED;
  return { kind: "opaque", dialect: isUpstreams ? "upstream's own" : dialectName(dialect), json: parts.view(json) };
}

/** Returns the name of a format in small letters. */
export function dialectName(dialect: Dialect): string {
  return dialect === Dialect.UNSPECIFIED ? "rpc" : (DialectSchema.value[dialect]?.localName.toLowerCase() ?? "unknown");
}

function viewDocument({ source, title, context }: DocumentBlock, parts: TextParts): BlockView {
  return {
    kind: "document",
    title,
    context: context === undefined ? undefined : parts.view(context),
    file: source.case === "text" || source.case === "content" ? undefined : viewFile(source, parts),
    text: source.case === "text" ? parts.view(source.value) : undefined,
    blocks: source.case === "content" ? source.value.blocks.map((block) => viewBlock(block, parts)) : [],
  };
}

type FileSource = ImageBlock["source"] | Exclude<DocumentBlock["source"], { case: "text" | "content" }>;

function viewFile(source: FileSource, parts: TextParts): FileView {
  switch (source.case) {
    case "url":
      return { at: "url", url: source.value };
    case "fileId":
      return { at: "upstream", fileId: source.value };
    case "inline":
      return viewInline(source.value, parts);
    case undefined:
      return { at: "nowhere" };
  }
}

function viewAudio(audio: AudioBlock, parts: TextParts): FileView {
  return { at: "request", mediaType: `audio/${audio.format}`, ...parts.file(toBase64(audio)) };
}

function viewInline(data: InlineData, parts: TextParts): FileView {
  return { at: "request", mediaType: data.mediaType, ...parts.file(toBase64(data)) };
}
