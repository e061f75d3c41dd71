// Command client calls the HTTP API by a client that oapi-codegen makes of docs/openapi.json.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"attune.example/openapi/gen"
)

const timeout = 60 * time.Second

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+os.Getenv("ATTUNE_KEY"))
		return nil
	}
	url := cmp.Or(os.Getenv("ATTUNE_URL"), "http://127.0.0.1:8080")
	client, err := gen.NewClientWithResponses(url, gen.WithRequestEditorFn(authorize))
	if err != nil {
		return err
	}

	models, err := client.ListModelsWithResponse(ctx, &gen.ListModelsParams{})
	if err != nil {
		return fmt.Errorf("list models: %w", err)
	}
	if models.JSON200 == nil {
		return fmt.Errorf("list models: %s", models.Body)
	}
	fmt.Printf("models: %d, the first is %s\n", len(models.JSON200.Data), models.JSON200.Data[0].Id)
	model := cmp.Or(os.Getenv("ATTUNE_MODEL"), models.JSON200.Data[0].Id)

	request, err := chatRequest(model)
	if err != nil {
		return err
	}
	answer, err := client.CreateChatCompletionWithResponse(ctx, nil, request)
	if err != nil {
		return fmt.Errorf("generate: %w", err)
	}
	if answer.JSON200 == nil {
		return fmt.Errorf("generate: %s", answer.Body)
	}
	text := *answer.JSON200.Choices[0].Message.Content
	fmt.Printf("generate: %d tokens, %d characters\n", answer.JSON200.Usage.CompletionTokens, len([]rune(text)))

	chunks, err := stream(ctx, client, request)
	if err != nil {
		return fmt.Errorf("stream: %w", err)
	}
	fmt.Printf("stream: %d chunks\n", chunks)

	stored, err := sendFeedback(ctx, client, answer.JSON200.Id.String())
	if err != nil {
		return fmt.Errorf("feedback: %w", err)
	}
	fmt.Printf("feedback: %d values\n", stored)

	return readError(ctx, client)
}

func chatRequest(model string) (gen.ChatCompletionRequest, error) {
	var content gen.ChatContent
	if err := content.FromChatContent0("Say hello"); err != nil {
		return gen.ChatCompletionRequest{}, err
	}
	var message gen.ChatMessage
	err := message.FromChatUserMessage(gen.ChatUserMessage{Role: "user", Content: content})
	return gen.ChatCompletionRequest{Model: model, Messages: []gen.ChatMessage{message}}, err
}

// stream reads server-sent events, which the client hands over as they come.
func stream(ctx context.Context, client *gen.ClientWithResponses, request gen.ChatCompletionRequest) (int, error) {
	isStreamed := true
	request.Stream = &isStreamed
	response, err := client.CreateChatCompletion(ctx, nil, request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	chunks := 0
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		data, isData := strings.CutPrefix(lines.Text(), "data: ")
		if !isData || data == "[DONE]" {
			continue
		}
		var chunk gen.ChatCompletionChunk
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			return chunks, err
		}
		chunks++
	}
	return chunks, lines.Err()
}

// sendFeedback sends a value of every kind: boolean, number, text, score with a reason, group, and null.
func sendFeedback(ctx context.Context, client *gen.ClientWithResponses, id string) (int, error) {
	var helpful, quality, note, score, reason, judged, tone, style gen.FeedbackValue
	for _, err := range []error{
		helpful.FromFeedbackValue0(true),
		quality.FromFeedbackValue1(0.8),
		note.FromFeedbackValue2("to the point"),
		score.FromFeedbackValue1(4),
		reason.FromFeedbackValue2("polite"),
		judged.FromFeedbackGroup(gen.FeedbackGroup{"score": &score, "reason": &reason}),
		tone.FromFeedbackValue0(true),
		style.FromFeedbackGroup(gen.FeedbackGroup{"tone": &tone}),
	} {
		if err != nil {
			return 0, err
		}
	}
	values := map[string]*gen.FeedbackValue{
		"helpful": &helpful, "quality": &quality, "note": &note, "judged": &judged, "style": &style, "withdrawn": nil,
	}
	events := []gen.FeedbackEvent{{Id: &id, Feedback: values}}
	result, err := client.CreateFeedbackWithResponse(ctx, nil, events)
	if err != nil {
		return 0, err
	}
	if result.JSON200 == nil || (*result.JSON200)[0].FeedbackIds == nil {
		return 0, fmt.Errorf("not stored: %s", bytes.TrimSpace(result.Body))
	}
	return len(*(*result.JSON200)[0].FeedbackIds), nil
}

func readError(ctx context.Context, client *gen.ClientWithResponses) error {
	request, err := chatRequest("no-such-model")
	if err != nil {
		return err
	}
	answer, err := client.CreateChatCompletionWithResponse(ctx, nil, request)
	if err != nil {
		return fmt.Errorf("error: %w", err)
	}
	if answer.JSONDefault == nil {
		return fmt.Errorf("error: %s", answer.Body)
	}
	fmt.Printf("error: %s\n", *answer.JSONDefault.Error.Code)
	return nil
}
