import { Spoiler } from "@mantine/core";
import { plainText } from "./name-text.ts";

interface Props {
  readonly text: string;
  /** Lines that are shown before someone asks for the rest. */
  readonly lines?: number;
}

/** Height of a line, in rem. */
const LINE = 1.48;

/** Shows a text that someone gave: its first lines, and the rest on demand. */
export function Clamped({ text, lines = 6 }: Props) {
  return (
    <Spoiler maxHeight={lines * LINE * 16} showLabel="Show all" hideLabel="Show less">
      <div className="attune-note">
        <bdi>{plainText(text)}</bdi>
      </div>
    </Spoiler>
  );
}
