import { isDeepStrictEqual } from "node:util";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { ChangeAction, type ChangeSchema, ItemKind } from "../../../gen/attune/admin/v1/document_pb.ts";
import { type ManagedItem, type ManagedKind, manageItem, releaseItem } from "../../store/managed/managed-items.ts";
import type { Store } from "../../store/types/store.ts";

/** The members of an item that people set, by the names that documents have for them. */
export type ItemState = Readonly<Record<string, unknown>>;

/** A change, as responses have it. */
type ChangeMessage = MessageInitShape<typeof ChangeSchema>;

/** An item of a document, as it was and as it is now. */
interface Reconciled {
  readonly item: ManagedItem;
  /** Name of its project; empty where it is of none. */
  readonly project: string;
  /** Its name for people. */
  readonly title: string;
  /** Its place in the document. */
  readonly place: string;
  /** Null where it was not there. */
  readonly before: ItemState | null;
  readonly after: ItemState;
  /** Of what it has, that which the document does not mention. */
  readonly kept?: ItemState;
  readonly needsHash?: boolean;
}

/** The messages of kinds. */
export const ITEM_KINDS: Record<ManagedKind, ItemKind> = {
  project: ItemKind.PROJECT,
  key: ItemKind.KEY,
  member: ItemKind.MEMBER,
  limits: ItemKind.LIMITS,
  learning: ItemKind.LEARNING,
  settings: ItemKind.SETTINGS,
};

/** Keeps what a document changes, and which of the managed items it has. */
export class Ledger {
  readonly changes: ChangeMessage[] = [];
  /** Managed items that the document does not have. */
  readonly absent: ChangeMessage[] = [];
  /** The members of items that the document does not mention. */
  readonly kept: ChangeMessage[] = [];
  readonly #store: Store;
  readonly #managed: Map<string, ManagedItem>;
  readonly #seen = new Set<string>();

  constructor(store: Store, managed: readonly ManagedItem[]) {
    this.#store = store;
    this.#managed = new Map(managed.map((item) => [getText(item), item]));
  }

  /** Returns the managed items that the document did not have so far. */
  get unseen(): readonly ManagedItem[] {
    return [...this.#managed.values()].filter((item) => !this.#seen.has(getText(item)));
  }

  /** Notes an item that is as the document has it now, and has it managed. */
  async note(reconciled: Reconciled): Promise<void> {
    const { item, project, title, place, before, after, kept = {}, needsHash = false } = reconciled;
    const text = getText(item);
    const isManaged = this.#managed.has(text);
    const fields = differences(before ?? {}, after);
    const isSame = before !== null && fields.length === 0;
    this.#seen.add(text);
    const known = Object.entries(kept).map(([field, value]) => ({ field, value: JSON.stringify(value) }));
    if (known.length > 0) {
      const values = known.map(({ field, value }) => ({ field, before: value, after: value }));
      const item = { kind: ITEM_KINDS[reconciled.item.kind], project, name: title, place };
      this.kept.push({ action: ChangeAction.KEEP, ...item, fields: values });
    }
    if (isSame && isManaged) return;
    const action = before === null ? ChangeAction.CREATE : fields.length > 0 ? ChangeAction.UPDATE : ChangeAction.ADOPT;
    const change = { kind: ITEM_KINDS[item.kind], project, name: title, fields, place, needsHash };
    this.changes.push({ action, ...change });
    if (!isManaged) await manageItem(this.#store, item, isSame ? title : undefined);
  }

  /** Notes an item that is no more, and has it managed no more. */
  async noteRemoved(
    removed: Omit<Reconciled, "after" | "needsHash" | "before"> & { before: ItemState },
  ): Promise<void> {
    const { item, project, title, place, before } = removed;
    const change = { kind: ITEM_KINDS[item.kind], project, name: title, fields: differences(before, {}), place };
    this.changes.push({ action: ChangeAction.REMOVE, ...change });
    await this.forget(item);
  }

  /** Has an item managed no more, which is not changed; with its name for people as `title`, that is told. */
  async forget(item: ManagedItem, note?: { readonly project: string; readonly title: string }): Promise<void> {
    this.#seen.add(getText(item));
    await releaseItem(this.#store, item, note?.title);
    if (note === undefined) return;
    const { project, title: name } = note;
    this.changes.push({ action: ChangeAction.RELEASE, kind: ITEM_KINDS[item.kind], project, name });
  }
}

function differences(before: ItemState, after: ItemState) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((field) => ({
      field,
      ...(before[field] !== undefined && { before: JSON.stringify(before[field]) }),
      ...(after[field] !== undefined && { after: JSON.stringify(after[field]) }),
    }));
}

function getText({ kind, projectId, name }: ManagedItem): string {
  return JSON.stringify([projectId, kind, name]);
}
