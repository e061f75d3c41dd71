import { Button, Kbd, Modal, Text, TextInput } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useNavigate } from "react-router";
import { useChoices } from "./use-choices.ts";

interface Props {
  readonly projectId: string | undefined;
  /** Called when a choice was followed: a drawer closes then. */
  readonly onFollow: () => void;
}

/** Opens, with Ctrl K or Cmd K, what is found by its name: pages, models, keys and requests. */
export function Palette({ projectId, onFollow }: Props) {
  const [isOpen, { open, close, toggle }] = useDisclosure(false);
  useHotkeys([["mod+K", toggle]], []);
  return (
    <>
      <Button
        variant="default"
        fullWidth
        fw={400}
        c="dimmed"
        styles={{ label: { flex: 1 } }}
        onClick={open}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            Ctrl K
          </Kbd>
        }
      >
        Go to…
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        withCloseButton={false}
        centered={false}
        title="Go to"
        yOffset="12vh"
        padding="xs"
        styles={{ header: { display: "none" }, body: { padding: "var(--mantine-spacing-sm)" } }}
      >
        <Search
          projectId={projectId}
          onFollow={() => {
            close();
            onFollow();
          }}
        />
      </Modal>
    </>
  );
}

function Search({ projectId, onFollow }: Props) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const choices = useChoices(text, projectId);
  const navigate = useNavigate();
  const id = useId();
  const optionId = (index: number) => `${id}-${index}`;
  const current = Math.min(at, choices.length - 1);
  useEffect(() => {
    // Newer browsers return a promise, which is no cleanup.
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [id, current]);
  const follow = (index: number) => {
    const to = choices[index]?.to;
    if (to === undefined) return;
    onFollow();
    void navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) setAt((current + step + choices.length) % choices.length);
    else if (event.key === "Enter") follow(current);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Page, model, key or id"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={choices.length > 0 ? optionId(current) : undefined}
        placeholder="Page, model, key or id"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        maxLength={500}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={id} aria-label="Found" className="attune-palette">
        {choices.map(({ kind, label, to }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
          <div
            key={`${kind} ${to}`}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            // A pointer that rests where the list comes up has moved by nothing.
            onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setAt(index)}
            onClick={() => follow(index)}
          >
            <span>{label}</span>
            <Text span fz="xs" c="dimmed">
              {kind}
            </Text>
          </div>
        ))}
      </div>
    </>
  );
}
