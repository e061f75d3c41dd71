import "../../../../web/parts/answers.css";
import { Badge, Code, Group, Stack, Text } from "@mantine/core";
import { nameText } from "../../../../web/parts/name-text.ts";
import type { BlockData } from "../types.ts";
import { FileView } from "./file-view.tsx";
import { LongText } from "./long-text.tsx";

/** Blocks, one below the other. They never change their order, so that their place tells them apart. */
export function Blocks({ blocks }: { readonly blocks: readonly BlockData[] }) {
  if (blocks.length === 0) {
    return (
      <Text c="dimmed" fz="sm" fs="italic">
        nothing
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Block key={index} block={block} />
      ))}
    </Stack>
  );
}

/** A block of content. Everything in it comes from strangers, and is shown as text. */
function Block({ block }: { readonly block: BlockData }) {
  switch (block.kind) {
    case "text":
      return <LongText text={block.text} />;
    case "refusal":
      return (
        <div className="attune-block">
          <Badge color="red.9" variant="filled" size="sm" mb={6} tt="none">
            refusal
          </Badge>
          <LongText text={block.text} />
        </div>
      );
    case "image":
      return (
        <FileView what={block.detail === undefined ? "Image" : `Image, detail ${block.detail}`} file={block.file} />
      );
    case "audio":
      return <FileView what="Sound" file={block.file} />;
    case "document":
      return <Document block={block} />;
    case "toolUse":
      return (
        <div className="attune-block">
          <Group gap="xs" mb={6}>
            <Badge color="indigo.8" variant="filled" size="sm" tt="none">
              tool call
            </Badge>
            <Code>{nameText(block.name)}</Code>
            <CallId id={block.id} />
          </Group>
          <LongText text={block.arguments} isCode />
        </div>
      );
    case "toolResult":
      return (
        <div className="attune-block">
          <Group gap="xs" mb={6}>
            <Badge color={block.isError ? "red.9" : "gray.7"} variant="filled" size="sm" tt="none">
              {block.isError ? "tool failed" : "tool result"}
            </Badge>
            <CallId id={block.toolUseId} />
          </Group>
          <Blocks blocks={block.blocks} />
        </div>
      );
    case "thinking":
      return <Thinking block={block} />;
    case "redactedThinking":
      return (
        <Text fz="sm" c="dimmed" className="attune-block">
          Thinking that only its maker can read, {block.characters.toLocaleString("en-US")} characters
        </Text>
      );
    case "opaque":
      return (
        <details className="attune-block">
          <summary>Only the {block.dialect} format knows this</summary>
          <LongText text={block.json} isCode />
        </details>
      );
    case "unknown":
      return (
        <Text fz="sm" c="dimmed" className="attune-block">
          A block of a kind that this version does not know
        </Text>
      );
  }
}

function CallId({ id }: { readonly id: string }) {
  return (
    <Text span fz="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
      {nameText(id)}
    </Text>
  );
}

function Thinking({ block }: { readonly block: Extract<BlockData, { kind: "thinking" }> }) {
  const length = block.text.length + block.summary.reduce((sum, part) => sum + part.length, 0);
  const isBlank = length === 0;
  return (
    <details className="attune-block">
      <summary>
        Thinking, {length.toLocaleString("en-US")} characters{block.isSealed ? ", sealed by its maker" : ""}
      </summary>
      <Stack gap="sm">
        {block.summary.map((part) => (
          <LongText key={part.part} text={part} />
        ))}
        {block.text.length > 0 && <LongText text={block.text} />}
        {isBlank && (
          <Text fz="sm" c="dimmed">
            Its maker did not show it.
          </Text>
        )}
      </Stack>
    </details>
  );
}

function Document({ block }: { readonly block: Extract<BlockData, { kind: "document" }> }) {
  const context = block.context !== undefined && <LongText text={block.context} />;
  if (block.file !== undefined) {
    return (
      <Stack gap={4}>
        <FileView what="Document" name={block.title} file={block.file} />
        {context}
      </Stack>
    );
  }
  return (
    <details className="attune-block">
      <summary>{block.title === undefined ? "Document" : `Document: ${nameText(block.title)}`}</summary>
      <Stack gap="sm">
        {context}
        {block.text !== undefined && <LongText text={block.text} />}
        {block.blocks.length > 0 && <Blocks blocks={block.blocks} />}
      </Stack>
    </details>
  );
}
