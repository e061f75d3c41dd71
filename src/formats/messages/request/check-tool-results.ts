import { type Message, Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import { WireError } from "../../shared/read.ts";

/** A call that waits for its result. */
interface OpenCall {
  readonly path: string;
  readonly id: string;
}

/**
 * Checks that each tool call has its one result in the next user turn, and each result its call in the assistant turn
 * before. Neighbouring messages of one role are one turn; system messages stand outside the turns. Calls that a
 * continued thread has made are not at hand: what stands before the first assistant turn may answer them. Throws
 * WireError.
 */
export function checkToolResults(messages: readonly Message[], isContinued = false): void {
  const open = new Map<string, OpenCall>();
  const answered = new Set<string>();
  let turn: Role | undefined;
  let sawAnswer = false;
  for (const [index, message] of messages.entries()) {
    if (message.role !== Role.USER && message.role !== Role.ASSISTANT) continue;
    const path = `messages[${index}].content`;
    if (message.role === Role.ASSISTANT && turn !== Role.ASSISTANT) {
      checkAnswered(open);
      answered.clear();
    }
    turn = message.role;
    sawAnswer ||= turn === Role.ASSISTANT;
    if (turn === Role.ASSISTANT) noteCalls(message, path, open);
    else if (sawAnswer || !isContinued) takeResults(message, path, { open, answered });
  }
  checkAnswered(open);
}

function noteCalls({ content }: Message, path: string, open: Map<string, OpenCall>): void {
  for (const [index, { kind }] of content.entries()) {
    if (kind.case !== "toolUse") continue;
    const place = `${path}[${index}]`;
    const { id } = kind.value;
    if (open.has(id)) throw new WireError(`${place}.id`, `tool_use ids must be unique, and '${id}' is there twice`);
    open.set(id, { path: place, id });
  }
}

function takeResults(
  { content }: Message,
  path: string,
  { open, answered }: { open: Map<string, OpenCall>; answered: Set<string> },
): void {
  let other = false;
  for (const [index, { kind }] of content.entries()) {
    if (kind.case !== "toolResult") {
      other = true;
      continue;
    }
    const place = `${path}[${index}]`;
    const id = kind.value.toolUseId;
    if (other) throw new WireError(place, "tool_result blocks must come first in their message; move it to the front");
    if (answered.has(id)) {
      throw new WireError(`${place}.tool_use_id`, `each tool_use has one result, and '${id}' has two; merge them`);
    }
    if (!open.delete(id)) {
      throw new WireError(
        `${place}.tool_use_id`,
        `no tool_use block of the previous assistant message has the id '${id}'; each tool_result must answer one`,
      );
    }
    answered.add(id);
  }
}

function checkAnswered(open: ReadonlyMap<string, OpenCall>): void {
  const [first] = open.values();
  if (first === undefined) return;
  const ids = [...open.keys()].map((id) => `'${id}'`).join(", ");
  throw new WireError(
    first.path,
    `tool_use without a tool_result in the next message: ${ids}; add a tool_result block for each`,
  );
}
