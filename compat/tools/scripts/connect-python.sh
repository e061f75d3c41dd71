#!/usr/bin/env bash
# connectrpc 0.13.0, protoc-gen-connectrpc 0.13.0, protoc-gen-py 0.7.0 (protobuf-py), buf 1.75.0
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check connectrpc==0.13.0 protoc-gen-connectrpc==0.13.0 protoc-gen-py==0.7.0
npm init -y >npm.log && npm install --silent --no-audit --no-fund @bufbuild/buf@1.75.0 >>npm.log
printf 'version: v2\nplugins:\n  - { local: venv/bin/protoc-gen-py, out: generated }\n  - { local: venv/bin/protoc-gen-connectrpc, out: generated }\n' > buf.gen.yaml
node_modules/.bin/buf generate "$ATTUNE_ROOT/proto" --include-imports && echo "held generates"
cat > call.py <<'PY'
import asyncio, os, sys
sys.path.insert(0, os.getcwd())
from connectrpc.codec import proto_json_codec
from connectrpc.errors import ConnectError
from connectrpc.protocol import ProtocolType
from protobuf import Oneof
from pyqwest import Client, HTTPTransport, HTTPVersion, SyncClient, SyncHTTPTransport
from generated.attune.content.v1.content_pb import ContentBlock, Message, Role, TextBlock
from generated.attune.error.v1.error_pb import ErrorDetail, ErrorReason
from generated.attune.inference.v1.inference_connect import InferenceServiceClient, InferenceServiceClientSync
from generated.attune.inference.v1.inference_pb import GenerateRequest, InferenceInput, StreamGenerateRequest

url, headers = os.environ["ATTUNE_URL"], {"authorization": "Bearer " + os.environ["ATTUNE_KEY"]}

def ask(model="attune/chat-model", role=Role.USER):
    return InferenceInput(model=model, messages=[Message(role=role, content=[ContentBlock(kind=Oneof("text", TextBlock(text="hi")))])])

def text(blocks): return "".join(block.kind.value.text for block in blocks if block.kind.field == "text")

def check(step, run):
    try: seen = run()
    except Exception as error: seen = f"{type(error).__name__}: {error}"
    print(f"held {step}" if seen is True else f"failed {step}: {str(seen)[:200]}")

def failure(call):
    try: return call()
    except ConnectError as error: return error

def is_named(error):
    detail = error.details[0].value(ErrorDetail)
    return error.code.name == "NOT_FOUND" and detail.reason == ErrorReason.MODEL_NOT_FOUND and detail.param == "model"

def kinds(parts): return [event.event.field for part in parts for event in part.events]

async def stream(client):
    return kinds([part async for part in client.stream_generate(StreamGenerateRequest(input=ask()), headers=headers)])[-1] == "finished"

for protocol in ProtocolType:
    # gRPC-Web is for clients without HTTP/2.
    version = HTTPVersion.HTTP1 if protocol is ProtocolType.GRPC_WEB else HTTPVersion.HTTP2
    for codec in [None, proto_json_codec()]:
        name = f"{protocol.name.lower().replace('_', '-')}{' JSON' if codec else ''}"
        client = InferenceServiceClientSync(url, protocol=protocol, codec=codec, http_client=SyncClient(SyncHTTPTransport(http_version=version)))
        asynchronous = InferenceServiceClient(url, protocol=protocol, codec=codec, http_client=Client(HTTPTransport(http_version=version)))
        check(f"{name} call", lambda: text(client.generate(GenerateRequest(input=ask()), headers=headers).content) != "")
        check(f"{name} stream", lambda: kinds(client.stream_generate(StreamGenerateRequest(input=ask()), headers=headers))[-1] == "finished")
        check(f"{name} stream, async", lambda: asyncio.run(stream(asynchronous)))
        check(f"{name} error with its detail", lambda: is_named(failure(lambda: client.generate(GenerateRequest(input=ask("none")), headers=headers))))
        check(f"{name} deadline", lambda: failure(lambda: client.generate(GenerateRequest(input=ask()), headers=headers, timeout_ms=1)).code.name == "DEADLINE_EXCEEDED")
PY
venv/bin/python call.py
