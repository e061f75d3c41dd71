import { Stack, Tabs, Text } from "@mantine/core";
import { CodeBlock } from "../../../../web/parts/code-block.tsx";
import { useOrigin } from "../../../../web/shell/use-origin.ts";
import type { CodeRequest } from "../code/code-request.ts";
import { writeCurl } from "../code/write-curl.ts";
import { writePython } from "../code/write-python.ts";
import { writeTypeScript } from "../code/write-typescript.ts";
import type { PlaygroundRequest } from "../exchange.ts";
import { FORMATS } from "../formats/formats.ts";

const LANGUAGES: readonly (readonly [string, (request: CodeRequest) => string])[] = [
  ["curl", writeCurl],
  ["Python", writePython],
  ["TypeScript", writeTypeScript],
];

interface Props {
  readonly request: PlaygroundRequest;
  /** Says which call it is. */
  readonly note?: string;
}

/** Shows a call as code. */
export function CodePart({ request, note = "The call that the form would send now." }: Props) {
  const { format, workload, body } = request;
  const written = { origin: useOrigin(), format, path: FORMATS[format].path, workload, body };
  return (
    <Stack gap="sm">
      <Text fz="sm" c="dimmed">
        {note} It takes an API key of this project in ATTUNE_KEY.
      </Text>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="sm">
          {LANGUAGES.map(([language]) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LANGUAGES.map(([language, write]) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock code={write(written)} what={`the ${language} call`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
