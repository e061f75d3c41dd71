import { Group, Select, Switch, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import type { KeyQuery } from "./types.ts";

const ORDERS = [
  { value: "created", label: "Newest first" },
  { value: "name", label: "By name" },
  { value: "lastUsed", label: "Last used first" },
] as const;

const TYPING_MS = 250;

interface Props {
  readonly query: KeyQuery;
  /** Keys that expired or were revoked. */
  readonly ended: number;
  readonly onChange: (changes: Partial<KeyQuery>) => void;
}

/** Chooses which keys are listed, and in which order. */
export function KeyListBar({ query, ended, onChange }: Props) {
  const [text, setText] = useState(query.text ?? "");
  const search = useDebouncedCallback((typed: string) => onChange({ text: typed.trim() }), TYPING_MS);
  return (
    <Group gap="sm">
      <TextInput
        aria-label="Search keys"
        placeholder="Name, id or tag"
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={100}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          search(currentTarget.value);
        }}
        w={{ base: "100%", sm: 260 }}
      />
      <Select
        aria-label="Order"
        data={[...ORDERS]}
        value={query.order ?? "created"}
        onChange={(value) => onChange({ order: ORDERS.find((order) => order.value === value)?.value ?? "created" })}
        allowDeselect={false}
        w={170}
      />
      {ended > 0 && (
        <Switch
          label={`Show ${ended === 1 ? "the one that is" : `the ${ended.toLocaleString("en-US")} that are`} expired or revoked`}
          checked={query.withEnded ?? false}
          onChange={({ currentTarget }) => onChange({ withEnded: currentTarget.checked })}
        />
      )}
    </Group>
  );
}
