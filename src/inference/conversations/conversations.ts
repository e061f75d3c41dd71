import type { Message } from "../../../gen/attune/content/v1/content_pb.ts";

/** A conversation that inferences continue and add to. */
export interface Conversation {
  readonly id: string;
  readonly createdAt: Date;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An item of a conversation. */
export interface ConversationItem {
  readonly id: string;
  readonly message: Message;
}

/** A page of a conversation's items. */
export interface ItemPage {
  readonly limit: number;
  /** The item that the page begins behind; absent: it begins with the first one. */
  readonly after?: string | undefined;
  readonly isLatestFirst: boolean;
}

/** The conversations of projects. Ids are UUIDs in small letters; what is not there for a project is undefined. */
export interface Conversations {
  /** Creates one. Throws INVALID_REQUEST where the project has too many, or for items that are too large. */
  create(
    projectId: string,
    made: { readonly metadata: Readonly<Record<string, string>>; readonly items: readonly Message[] },
  ): Promise<Conversation>;
  read(id: string, projectId: string): Promise<Conversation | undefined>;
  update(id: string, projectId: string, metadata: Readonly<Record<string, string>>): Promise<Conversation | undefined>;
  /** Deletes a conversation with its items; false if there is none. */
  delete(id: string, projectId: string): Promise<boolean>;
  /** Adds items to the end, all or none. Throws INVALID_REQUEST where the conversation has no room for them. */
  append(id: string, projectId: string, items: readonly Message[]): Promise<readonly ConversationItem[] | undefined>;
  /** Reads all items, the oldest first. */
  items(id: string, projectId: string): Promise<readonly ConversationItem[] | undefined>;
  /** Reads a page of items, and whether others stand behind it. Throws INVALID_REQUEST for an `after` that is none. */
  page(
    id: string,
    projectId: string,
    page: ItemPage,
  ): Promise<{ readonly items: readonly ConversationItem[]; readonly hasMore: boolean } | undefined>;
  /** Reads an item; undefined also where the conversation has none of that id. */
  item(id: string, itemId: string, projectId: string): Promise<ConversationItem | undefined>;
  /** Deletes an item; false if there is none. */
  deleteItem(id: string, itemId: string, projectId: string): Promise<boolean>;
}
