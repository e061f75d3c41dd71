import { Box } from "@mantine/core";
import { CopyButton } from "./copy-button.tsx";

interface Props {
  readonly code: string;
  /** The name of the code, for screen readers and for the button: "the curl line". */
  readonly what: string;
  /** True for a short line: it wraps and leaves room for the button. */
  readonly isWrapped?: boolean;
}

/** Code that can be copied. */
export function CodeBlock({ code, what, isWrapped }: Props) {
  return (
    <Box pos="relative">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard */}
      <pre className={isWrapped ? "attune-code attune-code-wrapped" : "attune-code"} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <Box pos="absolute" top={6} right={6}>
        <CopyButton text={code} what={what} />
      </Box>
    </Box>
  );
}
