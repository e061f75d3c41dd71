import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { nameText } from "../../../parts/name-text.ts";
import { useProject } from "../../../shell/session.ts";
import { useKeyNames } from "../use-key-names.ts";

/** Keys that are offered at a time: whoever looks for another one types a part of its name. */
const OFFERED = 20;
const TYPING_MS = 200;

/** Chooses a key of many: those that match what is typed are looked for as it is typed. */
export function KeyFilter({ value = null, ...props }: SelectProps) {
  const { id: projectId } = useProject();
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const chosen = value === null ? [] : [value];
  const keyName = useKeyNames(chosen);
  const chosenName = value === null ? "" : keyName(value);
  // What is chosen stands in the field, and is no search.
  const wanted = text === chosenName ? "" : text;
  const found = useQuery(
    trpc.keys.list.queryOptions(
      { projectId, text: wanted, withEnded: true, order: "lastUsed", limit: OFFERED },
      { placeholderData: keepPreviousData, staleTime: 30_000 },
    ),
  );
  const offered = found.data?.keys.filter(({ publicId }) => publicId !== value) ?? [];
  return (
    <Select
      {...props}
      value={value}
      data={[
        ...chosen.map((id) => ({ value: id, label: chosenName })),
        ...offered.map(({ publicId, name }) => ({ value: publicId, label: nameText(name) })),
      ]}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage="No such key"
    />
  );
}
