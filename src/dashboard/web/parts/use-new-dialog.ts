import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** The parameter of an address that opens the dialog for something new. */
export const NEW = "new";

/** Returns whether the address opens the page's dialog for something new, and what opens and closes it. */
export function useNewDialog(): { readonly isOpen: boolean; readonly set: (isOpen: boolean) => void } {
  const [parameters, setParameters] = useSearchParams();
  const set = useCallback(
    (isOpen: boolean) =>
      setParameters(
        (old) => {
          const changed = new URLSearchParams(old);
          if (isOpen) changed.set(NEW, "");
          else changed.delete(NEW);
          return changed;
        },
        { replace: true },
      ),
    [setParameters],
  );
  return { isOpen: parameters.has(NEW), set };
}
