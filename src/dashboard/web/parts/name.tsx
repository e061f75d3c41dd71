import { Box } from "@mantine/core";
import { nameText } from "./name-text.ts";

interface Props {
  readonly children: string;
  /** Lines that a long name may take; one ends with dots, and so does the last of several. */
  readonly lines?: 1 | 2;
}

/** Shows a name that someone gave, however long and in whatever script; all of it is its title. */
export function Name({ children, lines = 1 }: Props) {
  const text = nameText(children);
  return (
    <Box component="bdi" className="attune-name" data-lines={lines} title={text}>
      {text}
    </Box>
  );
}
