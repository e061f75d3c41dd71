import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type RefObject, useEffect, useState } from "react";

interface Props {
  /** The current search text. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}

/** Searches when Enter is pressed. */
export function SearchField({ value, onSearch, inputRef }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <search style={{ flex: "1 1 16rem" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <TextInput
          ref={inputRef}
          type="text"
          aria-label="Search in texts, or for an id"
          placeholder="First words of a prompt or an answer, or an id; then Enter"
          value={text}
          maxLength={500}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            value !== "" && <CloseButton size="sm" aria-label="Search for nothing" onClick={() => onSearch("")} />
          }
        />
      </form>
    </search>
  );
}
