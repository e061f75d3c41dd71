import { Box, Tabs } from "@mantine/core";
import { IconMessageCode } from "@tabler/icons-react";
import { EmptyState } from "../../../parts/empty-state.tsx";
import type { Exchange, PlaygroundRequest } from "../exchange.ts";
import { AnswerPart } from "./answer-part.tsx";
import { CodePart } from "./code-part.tsx";
import { RawPart } from "./raw-part.tsx";

interface Props {
  /** The latest call; undefined before the first. */
  readonly exchange: Exchange | undefined;
  /** The request that the form would send now. */
  readonly request: PlaygroundRequest;
  /** Puts the answer into the conversation; undefined while it is on its way. */
  readonly onGoOn: (() => void) | undefined;
}

/** Shows what came of a call, in three ways. */
export function ExchangePart({ exchange, request, onGoOn }: Props) {
  return (
    <Box component="section" aria-label="Answer" className="attune-card" p="md" style={{ minHeight: 320 }}>
      <Tabs defaultValue="answer" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="answer">Answer</Tabs.Tab>
          <Tabs.Tab value="raw">Request & response</Tabs.Tab>
          <Tabs.Tab value="code">Code</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="answer">
          {exchange === undefined ? (
            <EmptyState
              Icon={IconMessageCode}
              title="Nothing sent yet"
              text="Write a message and send it. The answer comes here, with what it cost and who served it."
            />
          ) : (
            <AnswerPart exchange={exchange} onGoOn={onGoOn} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="raw">
          <RawPart exchange={exchange} request={request} />
        </Tabs.Panel>
        <Tabs.Panel value="code">
          <CodePart request={request} />
        </Tabs.Panel>
      </Tabs>
    </Box>
  );
}
