import { useEffect, useRef } from "react";

/** What keys do, by their name as KeyboardEvent.key has it. */
export type KeyActions = Readonly<Record<string, () => void>>;

/** Has keys do something on this page, except where someone types, or a dialog or a menu is open. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const action = latest.current[event.key];
      if (action === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isBusy(event.target)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="listbox"], [role="menu"]') !== null) return true;
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  );
}
