import { type AnyDesc, type DescFile, toBinary } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** Files of protos, with all that they import, by what they declare. */
export class Descriptors {
  readonly #files = new Map<string, DescFile>();
  readonly #bySymbol = new Map<string, DescFile>();
  readonly #extensions = new Map<string, Map<number, DescFile>>();
  readonly #encoded = new Map<DescFile, Uint8Array>();

  constructor(files: readonly DescFile[]) {
    for (const file of files) this.#add(file);
  }

  /** Finds a file by its name: `attune/model/v1/model.proto`. */
  named(name: string): DescFile | undefined {
    return this.#files.get(name);
  }

  /**
   * Finds the file that declares a full name: of a service, a method, a message, a field, an enum or one of its values.
   */
  declaring(symbol: string): DescFile | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** Finds the file that declares the extension of a message by its number. */
  extending(typeName: string, number: number): DescFile | undefined {
    return this.#extensions.get(typeName)?.get(number);
  }

  /** Numbers of all known extensions of a message; undefined if there is no such message. */
  extensionNumbers(typeName: string): number[] | undefined {
    if (!this.#bySymbol.has(typeName)) return undefined;
    return [...(this.#extensions.get(typeName)?.keys() ?? [])];
  }

  /** Encodes a file as a FileDescriptorProto, once. */
  encode(file: DescFile): Uint8Array {
    let bytes = this.#encoded.get(file);
    if (bytes === undefined) {
      bytes = toBinary(FileDescriptorProtoSchema, file.proto);
      this.#encoded.set(file, bytes);
    }
    return bytes;
  }

  #add(file: DescFile): void {
    if (this.#files.has(file.proto.name)) return;
    this.#files.set(file.proto.name, file);
    for (const dependency of file.dependencies) this.#add(dependency);
    for (const type of nestedTypes(file)) {
      for (const symbol of getSymbols(type)) this.#bySymbol.set(symbol, file);
      if (type.kind !== "extension") continue;
      const ofMessage = this.#extensions.get(type.extendee.typeName) ?? new Map<number, DescFile>();
      this.#extensions.set(type.extendee.typeName, ofMessage.set(type.number, file));
    }
  }
}

type DescType = Extract<AnyDesc, { readonly typeName: string }>;

/** The full name of a type, and those of its parts. */
function getSymbols(type: DescType): string[] {
  const { typeName } = type;
  const within = (scope: string, parts: readonly { readonly name: string }[]): string[] =>
    parts.map(({ name }) => `${scope}.${name}`);
  switch (type.kind) {
    case "message":
      return [typeName, ...within(typeName, type.fields), ...within(typeName, type.oneofs)];
    case "enum":
      // The values of an enum stand beside it, not in it.
      return [typeName, ...within(type.parent?.typeName ?? type.file.proto.package, type.values)];
    case "service":
      return [typeName, ...within(typeName, type.methods)];
    default:
      return [typeName];
  }
}
