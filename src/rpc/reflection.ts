import type { DescFile, DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import type { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import type { ServerReflection as ServerReflectionAlpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { Descriptors } from "./descriptors.ts";
import { limitStreams } from "./limit-streams.ts";

/** Streams at a time, and questions on each: whoever reaches the port may ask. */
const MAX_STREAMS = 100;
const MAX_QUESTIONS = 1000;

/** Characters of a name that an answer repeats. */
const MAX_NAME_LENGTH = 200;

type Question =
  | { readonly case: "fileContainingExtension"; readonly value: ExtensionQuestion }
  | { readonly case: TextQuestion; readonly value: string }
  | { readonly case: undefined; readonly value?: undefined };

type TextQuestion = "fileByFilename" | "fileContainingSymbol" | "allExtensionNumbersOfType" | "listServices";

interface ExtensionQuestion {
  readonly containingType: string;
  readonly extensionNumber: number;
}

type Answer =
  | { case: "fileDescriptorResponse"; value: { fileDescriptorProto: Uint8Array[] } }
  | { case: "allExtensionNumbersResponse"; value: { baseTypeName: string; extensionNumber: number[] } }
  | { case: "listServicesResponse"; value: { service: { name: string }[] } }
  | { case: "errorResponse"; value: { errorCode: number; errorMessage: string } };

/** The reflection service in the two versions that clients ask for; their messages are the same but for the package. */
interface ReflectionRpc {
  readonly v1: ServiceImpl<typeof ServerReflection>;
  readonly v1alpha: ServiceImpl<typeof ServerReflectionAlpha>;
}

/**
 * Implements gRPC's server reflection for services: their names, and the files that declare them, or what else comes
 * with their answers.
 */
export function createReflectionRpc(services: readonly DescService[], others: readonly DescFile[]): ReflectionRpc {
  const descriptors = new Descriptors([...services.map(({ file }) => file), ...others]);
  const limited = limitStreams(MAX_STREAMS);

  async function* answerAll<T extends { readonly host: string; readonly messageRequest: Question }>(
    requests: AsyncIterable<T>,
  ) {
    const sent = new Set<DescFile>();
    let questions = 0;
    for await (const request of requests) {
      questions += 1;
      if (questions > MAX_QUESTIONS) {
        throw new ConnectError(
          `a stream takes ${MAX_QUESTIONS} questions: ask more on another`,
          Code.ResourceExhausted,
        );
      }
      const { host, messageRequest } = request;
      yield { validHost: host, originalRequest: request, messageResponse: answer(messageRequest, sent) };
    }
  }

  function answer(question: Question, sent: Set<DescFile>): Answer {
    switch (question.case) {
      case "listServices":
        return { case: "listServicesResponse", value: { service: services.map(({ typeName: name }) => ({ name })) } };
      case "fileByFilename":
        return answerFile(descriptors.named(question.value), question.value, sent);
      case "fileContainingSymbol":
        return answerFile(descriptors.declaring(question.value), question.value, sent);
      case "fileContainingExtension": {
        const { containingType, extensionNumber } = question.value;
        const file = descriptors.extending(containingType, extensionNumber);
        return answerFile(file, `${containingType} [${extensionNumber}]`, sent);
      }
      case "allExtensionNumbersOfType": {
        const numbers = descriptors.extensionNumbers(question.value);
        if (numbers === undefined) return notFound(question.value);
        return {
          case: "allExtensionNumbersResponse",
          value: { baseTypeName: question.value, extensionNumber: numbers },
        };
      }
      default:
        return failed(Code.InvalidArgument, "message_request must be set");
    }
  }

  /** With all that it imports, but for what this stream has had. */
  function answerFile(file: DescFile | undefined, name: string, sent: Set<DescFile>): Answer {
    if (file === undefined) return notFound(name);
    const files = new Set([file]);
    // What is added on the way is come by as well.
    for (const { dependencies } of files) {
      for (const dependency of dependencies) if (!sent.has(dependency)) files.add(dependency);
    }
    for (const each of files) sent.add(each);
    const fileDescriptorProto = [...files].map((each) => descriptors.encode(each));
    return { case: "fileDescriptorResponse", value: { fileDescriptorProto } };
  }

  return {
    v1: { serverReflectionInfo: (requests) => limited(answerAll(requests)) },
    v1alpha: { serverReflectionInfo: (requests) => limited(answerAll(requests)) },
  };
}

function notFound(name: string): Answer {
  return failed(Code.NotFound, `'${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}' is not known here`);
}

function failed(errorCode: Code, errorMessage: string): Answer {
  return { case: "errorResponse", value: { errorCode, errorMessage } };
}
