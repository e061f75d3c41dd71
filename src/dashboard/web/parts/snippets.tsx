import { Tabs } from "@mantine/core";
import { CodeBlock } from "./code-block.tsx";
import type { Snippet } from "./snippet.ts";

/** Shows a call in several languages, one at a time, the one by curl first. */
export function Snippets({ snippets }: { readonly snippets: readonly Snippet[] }) {
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List mb="sm">
        {snippets.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language}>
          <CodeBlock code={code} what={`the ${language} call`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
