import { useState } from "react";

/** The position of a pointer as recharts reports it. */
interface PointerPosition {
  readonly activeLabel?: string | number | undefined;
}

/**
 * Follows a drag along the horizontal axis. Returns the labels that it goes over, and what listens to the pointer;
 * nothing where no drag is asked for.
 */
export function useDragRange(
  labels: readonly string[],
  onRange: ((first: number, last: number) => void) | undefined,
): { readonly area: readonly [string, string] | undefined; readonly handlers: object } {
  const [drag, setDrag] = useState<readonly [from: string, to: string]>();
  if (onRange === undefined) return { area: undefined, handlers: {} };
  const labelOf = ({ activeLabel }: PointerPosition) => (typeof activeLabel === "string" ? activeLabel : undefined);
  const end = () => {
    setDrag(undefined);
    if (drag === undefined) return;
    const [one, other] = drag.map((label) => labels.indexOf(label));
    if (one === undefined || other === undefined || one < 0 || other < 0 || one === other) return;
    onRange(Math.min(one, other), Math.max(one, other));
  };
  const handlers = {
    onMouseDown: (place: PointerPosition) => {
      const label = labelOf(place);
      if (label !== undefined) setDrag([label, label]);
    },
    onMouseMove: (place: PointerPosition) => {
      const label = labelOf(place);
      if (drag !== undefined && label !== undefined && label !== drag[1]) setDrag([drag[0], label]);
    },
    onMouseUp: end,
    onMouseLeave: () => setDrag(undefined),
  };
  return { area: drag !== undefined && drag[0] !== drag[1] ? drag : undefined, handlers };
}
