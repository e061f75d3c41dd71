import "../../../../web/parts/answers.css";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api } from "../../../../web/api/client.ts";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { Name } from "../../../../web/parts/name.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import { TextViewSwitch } from "../../../../web/parts/text-view-switch.tsx";
import type { ContentData } from "../types.ts";
import { Blocks } from "./block-view.tsx";
import { LongText } from "./long-text.tsx";
import { Section } from "./section.tsx";
import { useRequestPlace } from "./use-request.ts";

/** Messages that come at a time. */
const EARLIER_MESSAGES = 40;

interface Props {
  readonly content: ContentData;
  /** Why there is no answer, or no whole one. */
  readonly ending: ReactNode;
}

/** The request and its answer as a conversation. */
export function ConversationPart({ content, ending }: Props) {
  const place = useRequestPlace();
  const [messages, setMessages] = useState(content.messages);
  const first = messages[0]?.index ?? 0;
  const earlier = useMutation({
    mutationFn: () => api.history.messages.query({ ...place, from: Math.max(0, first - EARLIER_MESSAGES), to: first }),
    onSuccess: (found) => setMessages((old) => [...found, ...old]),
    meta: { showsError: true },
  });
  return (
    <Section title="Conversation">
      <TextViewSwitch />
      {content.system.length > 0 && (
        <Message speaker="system" name="system prompt">
          <Blocks blocks={content.system} />
        </Message>
      )}
      {content.tools.length > 0 && <Tools tools={content.tools} />}
      {first > 0 && (
        <Group>
          <Button variant="default" size="compact-md" loading={earlier.isPending} onClick={() => earlier.mutate()}>
            Show earlier messages
          </Button>
          <Text fz="sm" c="dimmed">
            {first.toLocaleString("en-US")} of {content.messageCount.toLocaleString("en-US")} messages are above
          </Text>
        </Group>
      )}
      <ErrorNote error={earlier.error} onRetry={() => earlier.mutate()} />
      {messages.map(({ index, role, name, blocks }) => (
        <Message key={index} speaker={role} name={name === undefined ? role : `${role} ${nameText(name)}`}>
          <Blocks blocks={blocks} />
        </Message>
      ))}
      <Message speaker="answer" name="answer">
        <Stack gap="sm">
          {content.answer.length > 0 && <Blocks blocks={content.answer} />}
          {ending}
        </Stack>
      </Message>
    </Section>
  );
}

interface MessageProps {
  readonly speaker: string;
  readonly name: string;
  readonly children: ReactNode;
}

function Message({ speaker, name, children }: MessageProps) {
  return (
    <article className="attune-message" data-role={speaker} aria-label={name}>
      <Text fz="xs" fw={600} c="dimmed" mb={4}>
        {name}
      </Text>
      {children}
    </article>
  );
}

function Tools({ tools }: { readonly tools: ContentData["tools"] }) {
  return (
    <details className="attune-block">
      <summary>{tools.length === 1 ? "1 tool" : `${tools.length.toLocaleString("en-US")} tools`}</summary>
      <Stack gap="sm">
        {tools.map(({ name, definition }) => (
          <details key={definition.part} className="attune-block">
            <summary>
              <Name>{name}</Name>
            </summary>
            <LongText text={definition} isCode />
          </details>
        ))}
      </Stack>
    </details>
  );
}
