import { ActionIcon, Button, Group, NativeSelect, Stack, Textarea, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import { addTurn, type Turn } from "../draft.ts";
import type { PartProps } from "./part-props.ts";

interface Props extends PartProps {
  readonly onSend: () => void;
}

/** Edits the system prompt and the messages. */
export function ConversationPart({ draft, change, onSend }: Props) {
  const { turns } = draft;
  const setTurn = (turn: Turn) => change({ turns: turns.map((old) => (old.key === turn.key ? turn : old)) });
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <Stack gap="sm" className="attune-card" p="md" onKeyDown={sendOnEnter}>
      <Textarea
        label="System prompt"
        autosize
        minRows={1}
        maxRows={10}
        placeholder="You are a helpful assistant."
        value={draft.system}
        onChange={({ currentTarget }) => change({ system: currentTarget.value })}
      />
      {turns.map((turn, index) => (
        <TurnField
          key={turn.key}
          turn={turn}
          label={`Message ${index + 1}`}
          onChange={setTurn}
          onRemove={turns.length > 1 ? () => change({ turns: turns.filter((old) => old !== turn) }) : undefined}
        />
      ))}
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() =>
            change({ turns: addTurn(turns, { role: turns.at(-1)?.role === "user" ? "assistant" : "user", text: "" }) })
          }
        >
          Add a message
        </Button>
      </Group>
    </Stack>
  );
}

interface TurnProps {
  readonly turn: Turn;
  readonly label: string;
  readonly onChange: (turn: Turn) => void;
  readonly onRemove: (() => void) | undefined;
}

function TurnField({ turn, label, onChange, onRemove }: TurnProps) {
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <NativeSelect
          size="xs"
          aria-label={`Role of ${label.toLowerCase()}`}
          value={turn.role}
          onChange={({ currentTarget }) => onChange({ ...turn, role: currentTarget.value as Turn["role"] })}
          data={[
            { value: "user", label: "User" },
            { value: "assistant", label: "Assistant" },
          ]}
        />
        {onRemove !== undefined && (
          <Tooltip label={`Remove ${label.toLowerCase()}`}>
            <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove ${label.toLowerCase()}`}>
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <Textarea
        aria-label={label}
        autosize
        minRows={2}
        maxRows={14}
        placeholder={turn.role === "user" ? "Ask something" : "Answer of the model"}
        value={turn.text}
        onChange={({ currentTarget }) => onChange({ ...turn, text: currentTarget.value })}
      />
    </Stack>
  );
}
