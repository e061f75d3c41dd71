const CONVERSATION = /^conv_([0-9a-f]{32})$/;
const ITEM = /^[a-z]+_([0-9a-f]{32})$/;

/** Writes a UUID as the format writes ids: `conv_` and its digits. */
export function writeId(prefix: string, uuid: string): string {
  return `${prefix}_${uuid.replaceAll("-", "")}`;
}

/** Returns the UUID in the id of a conversation; another id as it is. */
export function readConversationId(id: string): string {
  return uuidIn(CONVERSATION, id);
}

/** Returns the UUID in the id of a conversation's item; another id as it is. */
export function readItemId(id: string): string {
  return uuidIn(ITEM, id);
}

function uuidIn(pattern: RegExp, id: string): string {
  const digits = pattern.exec(id)?.[1];
  return digits?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") ?? id;
}
