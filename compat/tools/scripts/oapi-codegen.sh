#!/usr/bin/env bash
# oapi-codegen 2.8.2
export GOBIN="$PWD/go/bin"
go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 2>install.log
go/bin/oapi-codegen -generate types,client -package main -o api.gen.go "$ATTUNE_ROOT/docs/openapi.json" && echo "held generates"
printf 'module call\ngo 1.26\nrequire github.com/oapi-codegen/runtime v1.2.0\n' > go.mod
cat > main.go <<'GO'
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func check(step string, held bool, seen any) {
	if held {
		fmt.Println("held", step)
	} else {
		fmt.Printf("failed %s: %v\n", step, seen)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	key := WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("authorization", "Bearer "+os.Getenv("ATTUNE_KEY"))
		return nil
	})
	client := must(NewClientWithResponses(os.Getenv("ATTUNE_URL"), key))
	ask := func(model string) *CreateChatCompletionResponse {
		body := []byte(`{"model":"` + model + `","messages":[{"role":"user","content":"hi"}]}`)
		return must(client.CreateChatCompletionWithBodyWithResponse(ctx, nil, "application/json", bytes.NewReader(body)))
	}
	chat := ask("attune/chat-model")
	check("Chat", chat.JSON200 != nil && *chat.JSON200.Choices[0].Message.Content != "", string(chat.Body))
	request := MessageRequest{}
	_ = json.Unmarshal([]byte(`{"model":"attune/chat-model","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`), &request)
	message := must(client.CreateMessageWithResponse(ctx, nil, request))
	text, err := message.JSON200.Content[0].AsMessageAnswerText()
	check("Messages", err == nil && text.Text != "", string(message.Body))
	feedback := map[string]*FeedbackValue{"before": nil}
	for name, value := range map[string]string{"helpful": "true", "stars": "4", "comment": `"good"`, "quality": `{"score":0.5,"reason":"short"}`, "parts": `{"tone":1,"facts":false}`} {
		feedback[name] = &FeedbackValue{}
		_ = feedback[name].UnmarshalJSON([]byte(value))
	}
	id := chat.JSON200.Id.String()
	rated := must(client.CreateFeedbackWithResponse(ctx, nil, []FeedbackEvent{{Id: &id, Feedback: feedback, Tags: &map[string]string{"page": "help"}}}))
	check("feedback", rated.JSON200 != nil && (*rated.JSON200)[0].FeedbackIds != nil && len(*(*rated.JSON200)[0].FeedbackIds) == 6, string(rated.Body))
	models := must(client.ListModelsWithResponse(ctx, nil))
	check("models", models.JSON200 != nil, string(models.Body))
	failed := ask("none")
	check("error", failed.JSONDefault != nil && *failed.JSONDefault.Error.Code == "model_not_found", string(failed.Body))
}
GO
go mod tidy 2>>install.log && go build -o call . && echo "held compiles" && ./call
