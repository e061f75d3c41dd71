/**
 * Name under which the extension of a block of a message item holds members of the item itself that became known only
 * when the item was done. It stands beside the part's own members, so it has a name that no part has.
 */
export const LATE_ITEM_MEMBERS = "$item";
