import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";

interface Props {
  readonly text: string;
  /** The name of what is copied: "the key". */
  readonly what: string;
  /** True if the button has words, where copying is what people come for. */
  readonly isLarge?: boolean;
}

/** Copies a text, and says so. */
export function CopyButton({ text, what, isLarge }: Props) {
  const { copy, copied } = useClipboard({ timeout: 2000 });
  const Icon = copied ? IconCheck : IconCopy;
  const label = copied ? "Copied" : `Copy ${what}`;
  if (isLarge) {
    return (
      <Button
        onClick={() => copy(text)}
        leftSection={<Icon size={16} aria-hidden />}
        color={copied ? "teal.9" : undefined}
        aria-live="polite"
      >
        {label}
      </Button>
    );
  }
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" onClick={() => copy(text)} aria-label={label} aria-live="polite">
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
