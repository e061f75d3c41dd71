import { Badge, Box, Code, Group, Text } from "@mantine/core";
import { Markdown } from "../../../parts/markdown/markdown.tsx";
import { nameText } from "../../../parts/name-text.ts";
import { useTextView } from "../../../parts/use-text-view.ts";
import type { AnswerPart as Piece } from "../formats/answer.ts";

/** A piece of an answer: words, thinking, or the call of a tool. */
export function PieceView({ piece: { kind, name, text } }: { readonly piece: Piece }) {
  switch (kind) {
    case "thinking":
      return (
        <Box component="details" className="attune-code">
          <summary>Thinking ({text.length.toLocaleString("en-US")} characters)</summary>
          <Text fz="sm" mt="xs" style={{ whiteSpace: "pre-wrap" }}>
            {text}
          </Text>
        </Box>
      );
    case "tool":
      return (
        <Box>
          <Group gap="xs" mb={4}>
            <Badge variant="light">Tool call</Badge>
            <Code>{nameText(name ?? "")}</Code>
          </Group>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard */}
          <pre className="attune-code" tabIndex={0}>
            <code>{pretty(text)}</code>
          </pre>
        </Box>
      );
    case "refusal":
      return (
        <Box>
          <Badge variant="light" color="orange" mb={4}>
            Refusal
          </Badge>
          <Words text={text} />
        </Box>
      );
    case "text":
      return <Words text={text} />;
  }
}

function Words({ text }: { readonly text: string }) {
  const [view] = useTextView();
  if (view === "formatted") return <Markdown text={text} />;
  return <Text style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{text}</Text>;
}

/** Arguments that are not complete yet stay as they are. */
function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}
