#!/usr/bin/env bash
# openapi-python-client 0.29.1, openapi-generator 7.26.0 (python), oapi-codegen 2.8.2, openapi-typescript 7.13.0
cat > wire.mjs <<'JS'
// Hands requests on to Attune and writes them down; the first part of a path names the client.
import { appendFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
const server = createServer(async (request, response) => {
  const [, client, path] = /^\/([^/]+)(.*)$/.exec(request.url);
  const body = (await request.toArray()).join("");
  const headers = { authorization: request.headers.authorization, "content-type": "application/json" };
  const answer = await fetch(process.env.ATTUNE_URL + path, { method: request.method, headers, body: body || undefined });
  appendFileSync("wire.jsonl", `${JSON.stringify({ client, path, body, status: answer.status })}\n`);
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
}).listen(0, "127.0.0.1", () => writeFileSync("port", String(server.address().port)));
JS
node wire.mjs & wire=$!
trap 'kill $wire' EXIT
until [ -s port ]; do sleep 0.2; done
export WIRE="http://127.0.0.1:$(cat port)" DOCUMENT="$ATTUNE_ROOT/docs/openapi.json" GOBIN="$PWD/bin"
: > wire.jsonl

npm init -y >npm.log && npm install --silent --no-audit --no-fund openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 >>npm.log
node_modules/.bin/openapi-typescript "$DOCUMENT" -o api.d.ts >generate.log 2>&1
cat > call.mts <<'TS'
import createClient from "openapi-fetch";
import type { paths } from "./api.js";
declare const process: { env: Record<string, string> };
const client = createClient<paths, "application/json">({ baseUrl: `${process.env.WIRE}/openapi-typescript`, headers: { authorization: `Bearer ${process.env.ATTUNE_KEY}` } });
await client.GET("/v1/inferences");
const chat = await client.POST("/v1/chat/completions", { body: { model: "attune/chat-model", messages: [{ role: "user", content: "hi" }], temperature: null as never } });
await client.POST("/v1/feedback", { body: [{ id: chat.data?.id ?? "", feedback: { before: null } }] });
await client.POST("/v1/feedback", { body: [{ id: chat.data?.id ?? "", feedback: { parts: { facts: null, tone: 1 } } }] });
TS
printf '{"compilerOptions":{"strict":true,"target":"es2022","module":"nodenext","lib":["es2024","dom","dom.iterable"],"outDir":"out"},"files":["call.mts"]}' > tsconfig.json
node_modules/.bin/tsc -p . >tsc.log 2>&1 || head -3 tsc.log
node out/call.mjs || true

python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check openapi-python-client==0.29.1 -r "$ATTUNE_ROOT/clients/openapi/python/requirements.txt"
venv/bin/openapi-python-client generate --path "$DOCUMENT" --output-path small_client --meta none >generate.log 2>&1
cat > small.py <<'PY'
import os
from small_client import AuthenticatedClient
from small_client.api.chat import create_chat_completion
from small_client.api.feedback import create_feedback
from small_client.api.inferences import list_inferences
from small_client.models import ChatCompletionRequest, FeedbackEvent

client = AuthenticatedClient(base_url=os.environ["WIRE"] + "/openapi-python-client", token=os.environ["ATTUNE_KEY"])
list_inferences.sync(client=client)
asked = ChatCompletionRequest.from_dict({"model": "attune/chat-model", "messages": [{"role": "user", "content": "hi"}]})
asked.temperature = None
chat = create_chat_completion.sync(client=client, body=asked)
for feedback in [{"before": None}, {"parts": {"facts": None, "tone": 1}}]:
    create_feedback.sync(client=client, body=[FeedbackEvent.from_dict({"id": str(chat.id), "feedback": feedback})])
PY
venv/bin/python small.py || true

venv/bin/openapi-generator-cli generate -g python -i "$DOCUMENT" -o gen --package-name attune_client >generate.log 2>&1
cat > large.py <<'PY'
import os
from attune_client import ApiClient, ChatApi, Configuration, FeedbackApi, InferencesApi
from attune_client.models import ChatCompletionRequest, ChatContent, ChatMessage, ChatUserMessage, FeedbackEvent, FeedbackValue

with ApiClient(Configuration(host=os.environ["WIRE"] + "/openapi-generator", access_token=os.environ["ATTUNE_KEY"])) as client:
    InferencesApi(client).list_inferences()
    message = ChatMessage(ChatUserMessage(role="user", content=ChatContent("hi")))
    chat = ChatApi(client).create_chat_completion(ChatCompletionRequest(model="attune/chat-model", messages=[message], temperature=None))
    FeedbackApi(client).create_feedback([FeedbackEvent(id=str(chat.id), feedback={"before": None})])
    parts = FeedbackValue({"facts": None, "tone": FeedbackValue(1)})
    FeedbackApi(client).create_feedback([FeedbackEvent(id=str(chat.id), feedback={"parts": parts})])
PY
PYTHONPATH=gen venv/bin/python large.py 2>large.log || true

mkdir go && cd go
go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 2>install.log
../bin/oapi-codegen -generate types,client -package main -o api.gen.go "$DOCUMENT"
printf 'module call\ngo 1.26\nrequire github.com/oapi-codegen/runtime v1.2.0\n' > go.mod
cat > main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	ctx := context.Background()
	key := WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("authorization", "Bearer "+os.Getenv("ATTUNE_KEY"))
		return nil
	})
	client, _ := NewClientWithResponses(os.Getenv("WIRE")+"/oapi-codegen", key)
	_, _ = client.ListInferencesWithResponse(ctx, &ListInferencesParams{})
	request := ChatCompletionRequest{}
	_ = json.Unmarshal([]byte(`{"model":"attune/chat-model","messages":[{"role":"user","content":"hi"}],"temperature":null}`), &request)
	chat, err := client.CreateChatCompletionWithResponse(ctx, nil, request)
	if err != nil || chat.JSON200 == nil {
		panic(err)
	}
	id := chat.JSON200.Id.String()
	parts := &FeedbackValue{}
	_ = parts.UnmarshalJSON([]byte(`{"facts":null,"tone":1}`))
	for _, feedback := range []map[string]*FeedbackValue{{"before": nil}, {"parts": parts}} {
		_, _ = client.CreateFeedbackWithResponse(ctx, nil, []FeedbackEvent{{Id: &id, Feedback: feedback}})
	}
}
GO
{ go mod tidy && go build -o call .; } 2>>install.log && ./call || tail -5 install.log
cd ..

cat > read.mjs <<'JS'
import { readFileSync } from "node:fs";
const wire = readFileSync("wire.jsonl", "utf8").trim().split("\n").map((line) => JSON.parse(line));
const check = (step, is, seen) => console.log(is ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen ?? null).slice(0, 200)}`);
for (const client of ["openapi-python-client", "openapi-generator", "oapi-codegen", "openapi-typescript"]) {
  const of = (path) => wire.filter((each) => each.client === client && each.path.startsWith(path));
  const [[listed], [chat]] = [of("/v1/inferences"), of("/v1/chat/completions")];
  const query = listed?.path.split("?")[1] ?? "";
  check(`${client}: a list with ${query === "" ? "no default" : `the default ${query}`}`, listed?.status === 200 && ["", "limit=100"].includes(query), listed);
  const sent = chat === undefined ? {} : JSON.parse(chat.body);
  const told = "temperature" in sent ? `sends ${sent.temperature}` : "is left out";
  check(`${client}: a temperature of null ${told}`, chat?.status === 200, chat);
  const rated = of("/v1/feedback").filter(({ status }) => status === 200).map(({ body }) => JSON.parse(body)[0].feedback);
  check(`${client}: feedback null`, rated.some(({ before }) => before === null), rated);
  check(`${client}: null in a group of feedback`, rated.some(({ parts }) => parts?.facts === null), rated);
}
JS
node read.mjs
