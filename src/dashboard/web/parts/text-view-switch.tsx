import { SegmentedControl } from "@mantine/core";
import { type TextView, useTextView } from "./use-text-view.ts";

const VIEWS = [
  { value: "formatted", label: "Formatted" },
  { value: "plain", label: "Plain" },
] as const;

/** Chooses whether texts are shown with their Markdown. */
export function TextViewSwitch() {
  const [view, setView] = useTextView();
  return (
    <SegmentedControl<TextView>
      size="xs"
      aria-label="Show texts"
      value={view}
      onChange={setView}
      data={[...VIEWS]}
      style={{ alignSelf: "flex-end" }}
    />
  );
}
