import { Box, SimpleGrid, Stack, Text } from "@mantine/core";
import { CopyButton } from "../../../../web/parts/copy-button.tsx";
import type { Exchange, PlaygroundRequest } from "../exchange.ts";
import { FORMATS } from "../formats/formats.ts";

/** Longer texts would make the page slow; copying takes them whole. */
const SHOWN_CHARACTERS = 60_000;

interface Props {
  readonly exchange: Exchange | undefined;
  readonly request: PlaygroundRequest;
}

/** Shows request and response as they went over the wire. */
export function RawPart({ exchange, request }: Props) {
  const sent = exchange?.request ?? request;
  const response = exchange === undefined ? "" : writeResponse(exchange);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Raw title={exchange === undefined ? "Request, not sent yet" : "Request"} text={writeRequest(sent)} />
      <Raw title="Response" text={response} />
    </SimpleGrid>
  );
}

function writeRequest({ format, workload, body }: PlaygroundRequest): string {
  const lines = [`POST ${FORMATS[format].path}`, "content-type: application/json"];
  if (workload !== "") lines.push(`attune-workload: ${workload}`);
  return [...lines, "", JSON.stringify(body, undefined, 2)].join("\n");
}

function writeResponse({ status, headers, raw }: Exchange): string {
  if (status === undefined) return "";
  return [`HTTP ${status}`, ...headers.map(([name, value]) => `${name}: ${value}`), "", raw].join("\n");
}

function Raw({ title, text }: { readonly title: string; readonly text: string }) {
  const rest = text.length - SHOWN_CHARACTERS;
  return (
    <Stack gap={4} style={{ minWidth: 0 }}>
      <Text fz="sm" fw={600}>
        {title}
      </Text>
      <Box pos="relative">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard */}
        <pre className="attune-code" tabIndex={0} style={{ maxHeight: "60vh" }}>
          <code>{text === "" ? "Nothing yet." : text.slice(0, SHOWN_CHARACTERS)}</code>
        </pre>
        {text !== "" && (
          <Box pos="absolute" top={6} right={6}>
            <CopyButton text={text} what={`the ${title.toLowerCase()}`} />
          </Box>
        )}
      </Box>
      {rest > 0 && (
        <Text fz="xs" c="dimmed">
          {rest.toLocaleString("en-US")} more characters are not shown; copying takes them too.
        </Text>
      )}
    </Stack>
  );
}
