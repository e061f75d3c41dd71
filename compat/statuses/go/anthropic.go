package main

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
)

func main() {
	run(map[string]call{"anthropic": message})
}

func message(ctx context.Context, url string) (string, error) {
	client := anthropic.NewClient(option.WithAPIKey("key"), option.WithBaseURL(url))
	stream := client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{
		Model:     claude,
		MaxTokens: 100,
		Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(prompt))},
	})
	defer stream.Close()
	text := ""
	for stream.Next() {
		text += stream.Current().Delta.Text
	}
	return text, stream.Err()
}
