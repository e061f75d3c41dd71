import "../../../../web/parts/answers.css";
import { Badge, Code, Group } from "@mantine/core";
import { Markdown } from "../../../../web/parts/markdown/markdown.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import { useTextView } from "../../../../web/parts/use-text-view.ts";
import type { AnswerPart as Piece } from "../formats/answer.ts";

/** A piece of an answer: words, thinking, or the call of a tool. */
export function PieceView({ piece: { kind, name, text } }: { readonly piece: Piece }) {
  switch (kind) {
    case "thinking":
      return (
        <details className="attune-block">
          <summary>Thinking, {text.length.toLocaleString("en-US")} characters</summary>
          <Words text={text} />
        </details>
      );
    case "tool":
      return (
        <div className="attune-block">
          <Group gap="xs" mb={6}>
            <Badge color="indigo.8" variant="filled" size="sm" tt="none">
              tool call
            </Badge>
            <Code>{nameText(name ?? "")}</Code>
          </Group>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard */}
          <pre className="attune-code attune-wrapped" tabIndex={0}>
            <code>{pretty(text)}</code>
          </pre>
        </div>
      );
    case "refusal":
      return (
        <div className="attune-block">
          <Badge color="red.9" variant="filled" size="sm" mb={6} tt="none">
            refusal
          </Badge>
          <Words text={text} />
        </div>
      );
    case "text":
      return <Words text={text} />;
  }
}

function Words({ text }: { readonly text: string }) {
  const [view] = useTextView();
  if (view === "formatted") return <Markdown text={text} />;
  return <div className="attune-text">{text}</div>;
}

/** Arguments that are not complete yet stay as they are. */
function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}
