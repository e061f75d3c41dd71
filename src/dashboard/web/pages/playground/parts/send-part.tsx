import { Button, Group, Switch, Text } from "@mantine/core";
import { IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import type { PartProps } from "./part-props.ts";

interface Props extends PartProps {
  readonly canSend: boolean;
  readonly isRunning: boolean;
  readonly onStop: () => void;
}

/** Sends, and stops. */
export function SendPart({ draft, change, canSend, isRunning, onStop }: Props) {
  return (
    <Group justify="space-between">
      <Switch
        label="Stream the answer"
        checked={draft.streams}
        onChange={({ currentTarget }) => change({ streams: currentTarget.checked })}
      />
      <Group gap="sm">
        <Text fz="xs" c="dimmed" visibleFrom="sm">
          Ctrl + Enter
        </Text>
        {isRunning ? (
          // A button of its own: were it the same element, the click that stops would go on to submit the form.
          <Button key="stop" color="red.9" onClick={onStop} leftSection={<IconPlayerStop size={16} aria-hidden />}>
            Stop
          </Button>
        ) : (
          <Button key="send" type="submit" disabled={!canSend} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
            Send
          </Button>
        )}
      </Group>
    </Group>
  );
}
