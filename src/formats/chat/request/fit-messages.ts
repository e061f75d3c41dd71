import type { JsonObject } from "../../shared/json.ts";
import type { Translation } from "./translation.ts";

/** A message as it is encoded, and its place in the hub's request; undefined for what stands outside the messages. */
export interface EncodedMessage {
  readonly message: JsonObject;
  readonly path: string | undefined;
}

const INSTRUCTION_ROLES: ReadonlySet<unknown> = new Set(["system", "developer"]);

/** Gives messages the form that the server takes: the role of instructions, their place, and content as text. */
export function fitMessages(messages: readonly EncodedMessage[], { profile, losses }: Translation): JsonObject[] {
  const { instructionRole, lateInstructions, content } = profile;
  const fitted = messages.map(({ message, path }) => {
    const isKept = instructionRole === "as-called" || !isInstruction(message);
    return isKept ? { message, path } : { message: { ...message, role: instructionRole }, path };
  });
  const placed = lateInstructions === "keep" ? fitted.map(({ message }) => message) : placeInstructions(fitted, losses);
  return content === "parts" ? placed : placed.map(withTextContent);
}

function isInstruction({ role }: JsonObject): boolean {
  return INSTRUCTION_ROLES.has(role);
}

/** Messages that become one. */
interface Run {
  readonly message: JsonObject;
  readonly contents: unknown[];
  /** True if instructions are among what the user says. */
  isMoved: boolean;
}

/**
 * Joins the instructions that come first to one, and has the user say those that come later, in their order: templates
 * that take no instructions there take no two messages of the user that follow each other either.
 */
function placeInstructions(messages: readonly EncodedMessage[], losses: Translation["losses"]): JsonObject[] {
  const runs: Run[] = [];
  for (const { message, path } of messages) {
    const last = runs.at(-1);
    const isLate = isInstruction(message) && last !== undefined && !isInstruction(last.message);
    if (isLate && path !== undefined) losses.at(`${path}.role`);
    const placed = isLate ? { ...message, role: "user" } : message;
    const isJoined = isInstruction(placed) || isLate || last?.isMoved === true;
    if (last === undefined || !isJoined || last.message["role"] !== placed["role"])
      runs.push({ message: placed, contents: [placed["content"]], isMoved: isLate });
    else {
      last.contents.push(placed["content"]);
      last.isMoved ||= isLate;
    }
  }
  return runs.map(({ message, contents }) =>
    contents.length === 1 ? message : { ...message, content: joinContents(contents) },
  );
}

function joinContents(contents: readonly unknown[]): unknown {
  return contents.every((content) => typeof content === "string") ? contents.join("\n\n") : contents.flatMap(toParts);
}

/** Returns content as a list of parts. */
export function toParts(content: unknown): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

/** Texts alone are one text, a blank line apart; parts that are or hold something else stay as they are. */
function withTextContent(message: JsonObject): JsonObject {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const texts = content.map(plainText);
  return texts.every((text) => text !== undefined) ? { ...message, content: texts.join("\n\n") } : message;
}

function plainText(part: JsonObject): string | undefined {
  const isPlain = part["type"] === "text" && Object.keys(part).length === 2;
  return isPlain && typeof part["text"] === "string" ? part["text"] : undefined;
}
