import type { ChangeOrigin } from "../../vocabulary/change-origin.ts";

/** The columns that hold who asked for a deletion. */
interface OriginColumns {
  readonly actorKind: string;
  readonly actorId: string;
  readonly actorLabel: string;
  readonly via: string;
}

/** Returns who asked for a deletion, from its row. */
export function toOrigin({ actorKind, actorId, actorLabel, via }: OriginColumns): ChangeOrigin {
  const actor = { kind: actorKind as ChangeOrigin["actor"]["kind"], id: actorId, label: actorLabel };
  return { actor, via: via as ChangeOrigin["via"] };
}
