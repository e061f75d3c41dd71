import { createHash } from "node:crypto";
import type { Format } from "../../../hub/field-row.ts";

/** A tool's name in its namespace. */
export interface NamespacedName {
  /** Undefined for a tool without one. */
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Stands between a namespace and a name. */
const JOINT = "__";

/**
 * Hexadecimal digits of the hash: 32 bits tell the tools of one request apart, and where they do not, another hash
 * does.
 */
const HASH_LENGTH = 8;

/**
 * Names that a format takes for tools whose own it does not take, or that stand in namespaces: none is that of another
 * tool, and each leads back to its own.
 */
export class FlatNames {
  readonly #flat = new Map<string, string>();
  readonly #original = new Map<string, NamespacedName>();

  /**
   * A name is `NAMESPACE__NAME` where that fits and no other tool is called so, else the beginning of both and a hash.
   * It depends on nothing but the tool and those whose names collide with its own, so that it stays over the turns of a
   * conversation. `taken` are the names of tools that keep theirs.
   */
  constructor(
    tools: readonly NamespacedName[],
    { taken, maxLength }: { taken: ReadonlySet<string>; maxLength: number },
  ) {
    const distinct = new Map(tools.map((tool) => [getKey(tool), tool] as const));
    const claims = new Map<string, number>();
    for (const tool of distinct.values()) claims.set(joined(tool), (claims.get(joined(tool)) ?? 0) + 1);
    const others: NamespacedName[] = [];
    const pattern = toolNamePattern(maxLength);
    for (const tool of distinct.values()) {
      const name = joined(tool);
      if (pattern.test(name) && claims.get(name) === 1 && !taken.has(name)) this.#add(tool, name);
      else others.push(tool);
    }
    for (const tool of others) this.#add(tool, this.#hashed(tool, taken, maxLength));
  }

  /** The name that stands for a tool; undefined if the tool is not known. */
  flat(tool: NamespacedName): string | undefined {
    return this.#flat.get(getKey(tool));
  }

  /** The tool that a name stands for; undefined if it stands for none. */
  original(name: string): NamespacedName | undefined {
    return this.#original.get(name);
  }

  #add(tool: NamespacedName, name: string): void {
    this.#flat.set(getKey(tool), name);
    this.#original.set(name, tool);
  }

  #hashed(tool: NamespacedName, taken: ReadonlySet<string>, maxLength: number): string {
    for (let attempt = 0; ; attempt++) {
      const name = hashedName(tool, maxLength, attempt);
      if (!taken.has(name) && !this.#original.has(name)) return name;
    }
  }
}

function getKey({ namespace, name }: NamespacedName): string {
  return JSON.stringify([namespace, name]);
}

/** Clients may end the names of their namespaces with the joint: `mcp__github__`. */
function joined({ namespace, name }: NamespacedName): string {
  if (namespace === undefined) return name;
  return namespace.endsWith(JOINT) ? namespace + name : namespace + JOINT + name;
}

/** Of a long name more is kept than of its namespace: it says what the tool does. */
function hashedName({ namespace, name }: NamespacedName, maxLength: number, attempt: number): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([namespace, name, attempt]))
    .digest("hex")
    .slice(0, HASH_LENGTH);
  if (namespace === undefined) return `${plain(name, maxLength - HASH_LENGTH - 1)}_${hash}`;
  const room = maxLength - HASH_LENGTH - 1 - JOINT.length;
  const ending = plain(name, Math.ceil((room * 2) / 3));
  const beginning = plain(namespace, room - ending.length);
  return `${joined({ namespace: beginning, name: ending })}_${hash}`;
}

function plain(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[^a-zA-Z0-9_-]/g, "_");
}

/** Characters that every format takes in the name of a tool. */
const CHARACTERS = "[a-zA-Z0-9_-]";

/**
 * Most characters of a tool's name. Chat says 64 (FunctionDefinition.name in openai/resources/shared), Messages 128
 * (Tool.name of its reference); servers of the Responses format differ, and all of them take 64.
 */
export const MAX_TOOL_NAME: Readonly<Record<Format, number>> = { chat: 64, responses: 64, messages: 128 };

/** Returns the pattern of names that have at most so many characters. */
export function toolNamePattern(maxLength: number): RegExp {
  return new RegExp(`^${CHARACTERS}{1,${maxLength}}$`);
}
