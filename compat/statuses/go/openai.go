package main

import (
	"context"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

func main() {
	run(map[string]call{"openai chat": chat, "openai responses": respond})
}

func connect(url string) openai.Client {
	return openai.NewClient(option.WithAPIKey("key"), option.WithBaseURL(url+"/v1/"))
}

func chat(ctx context.Context, url string) (string, error) {
	client := connect(url)
	stream := client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(prompt)},
	})
	defer stream.Close()
	text := ""
	for stream.Next() {
		for _, choice := range stream.Current().Choices {
			text += choice.Delta.Content
		}
	}
	return text, stream.Err()
}

func respond(ctx context.Context, url string) (string, error) {
	client := connect(url)
	stream := client.Responses.NewStreaming(ctx, responses.ResponseNewParams{
		Model: model,
		Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(prompt)},
	})
	defer stream.Close()
	text := ""
	for stream.Next() {
		if event := stream.Current(); event.Type == "response.output_text.delta" {
			text += event.Delta
		}
	}
	return text, stream.Err()
}
