/** A kind of actor: a person of the dashboard, a key of a project, an admin key, a command, or the configuration. */
const ACTOR_KINDS = ["person", "key", "admin-key", "command", "configuration"] as const;
type ActorKind = (typeof ACTOR_KINDS)[number];

/** The way by which a change came. */
type ChangeVia = "dashboard" | "rpc" | "http" | "command";

/** An actor who changes something. */
interface Actor {
  readonly kind: ActorKind;
  /** Of a person the id of the account, of a key its public id, of a command the user of the system. */
  readonly id: string;
  /** The name for people, as it was then. */
  readonly label: string;
}

/** The origin of a change, as the audit log names it. */
export interface ChangeOrigin {
  readonly actor: Actor;
  readonly via: ChangeVia;
  /** Network address, where there is one. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  /** The project that takes turns with others where changes have to wait; the actor does if absent. */
  readonly queueOwner?: string | undefined;
}

/** The origin of what a process does unasked, such as the key of a first start. */
export const PROCESS_ORIGIN: ChangeOrigin = {
  actor: { kind: "command", id: "", label: "attune" },
  via: "command",
};
