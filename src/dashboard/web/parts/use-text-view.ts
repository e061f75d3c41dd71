import { useLocalStorage } from "@mantine/hooks";

/** The view of a request's texts: with their Markdown, or as they came. */
export type TextView = "formatted" | "plain";

/** Returns how this browser shows texts, and what changes it for all pages. */
export function useTextView(): readonly [TextView, (view: TextView) => void] {
  const [view, setView] = useLocalStorage<TextView>({
    key: "attune-text-view",
    defaultValue: "formatted",
    getInitialValueInEffect: false,
  });
  return [view, setView];
}
