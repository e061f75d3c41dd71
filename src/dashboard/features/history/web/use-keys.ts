import { useEffect, useRef } from "react";

/** The actions of keys, by `KeyboardEvent.key`. */
type KeyActions = Readonly<Record<string, () => void>>;

/** Has keys do something on this page, except where someone types, or a dialog or a menu is open. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const action = latest.current[event.key];
      if (action === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isBusy(event.target) || (event.key === " " && isPressed(event.target))) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** Tells whether the space bar presses what has the focus. */
function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, summary, input") !== null;
}

const LAYERS = '[role="dialog"], [role="listbox"], [role="menu"]';

function isBusy(target: EventTarget | null): boolean {
  // Without transitions a dialog that this key closes has left the page by now, with what had the focus in it.
  if (target instanceof Element && target.closest(LAYERS) !== null) return true;
  const layers = document.querySelectorAll(LAYERS);
  // Some stay in the page while they are closed.
  if ([...layers].some((layer) => layer.checkVisibility({ visibilityProperty: true }))) return true;
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit)$/.test(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(textarea|select)$/i.test(target.tagName));
}
