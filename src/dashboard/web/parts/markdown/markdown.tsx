import "./markdown.css";
import { memo, type ReactNode, useMemo } from "react";
import { type Block, parseBlocks } from "./parse-blocks.ts";
import { type Inline, parseInline } from "./parse-inline.ts";

/** Shows a text of a stranger with its Markdown: no HTML of it becomes a part of the page, and nothing is loaded. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseBlocks(text), [text]);
  return <div className="attune-markdown">{showBlocks(blocks)}</div>;
});

function showBlocks(blocks: readonly Block[]): ReactNode {
  // Blocks never change their order, so that their place tells them apart.
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return blocks.map((block, index) => <BlockView key={index} block={block} />);
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "paragraph":
      return <p>{showInline(block.text)}</p>;
    case "heading":
      // Not a heading of this page.
      return (
        <p className="attune-markdown-heading" data-level={block.level}>
          {showInline(block.text)}
        </p>
      );
    case "code":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard
        <pre className="attune-code" tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case "rule":
      return <hr />;
    case "quote":
      return <blockquote>{showBlocks(block.blocks)}</blockquote>;
    case "list":
      return <ListView block={block} />;
    case "table":
      return <TableView block={block} />;
  }
}

function ListView({ block: { start, items } }: { readonly block: Extract<Block, { kind: "list" }> }) {
  const shown = items.map((item, index) => {
    const [only, ...others] = item;
    const isTight = only?.kind === "paragraph" && others.every(({ kind }) => kind === "list");
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: items never change their order
      <li key={index}>
        {isTight ? showInline(only.text) : showBlocks(item)}
        {isTight && showBlocks(others)}
      </li>
    );
  });
  return start === undefined ? <ul>{shown}</ul> : <ol start={start}>{shown}</ol>;
}

function TableView({ block: { head, rows } }: { readonly block: Extract<Block, { kind: "table" }> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard
    <div className="attune-markdown-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
              <th key={index} scope="col">
                {showInline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never change their order
            <tr key={at}>
              {head.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
                <td key={index}>{showInline(row[index] ?? "")}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function showInline(text: string): ReactNode {
  return showParts(parseInline(text));
}

function showParts(parts: readonly Inline[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts never change their order
  return parts.map((part, index) => <InlineView key={index} part={part} />);
}

function InlineView({ part }: { readonly part: Inline }) {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code>{part.text}</code>;
    case "break":
      return <br />;
    case "strong":
      return <strong>{showParts(part.children)}</strong>;
    case "emphasis":
      return <em>{showParts(part.children)}</em>;
    case "deleted":
      return <del>{showParts(part.children)}</del>;
    case "link":
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer nofollow" title={part.href}>
          {showParts(part.children)}
        </a>
      );
  }
}
