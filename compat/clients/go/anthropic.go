package main

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/toolrunner"
)

var client = anthropic.NewClient(option.WithAPIKey(key), option.WithBaseURL(url), option.WithMaxRetries(0))

var messages = []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("Hello"))}

func main() {
	run(
		step{"messages", create},
		step{"stream", stream},
		step{"tools", loop},
		step{"token count", count},
	)
}

func asked(model string) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{Model: model, MaxTokens: 1000, Messages: messages}
}

func shown(message *anthropic.Message) answer {
	shown := answer{id: message.ID}
	for _, block := range message.Content {
		shown.text += block.Text
	}
	return shown
}

func create(model string) (answer, error) {
	message, err := client.Messages.New(ctx, asked(model))
	if err != nil {
		return answer{}, err
	}
	return shown(message), nil
}

func stream(model string) (answer, error) {
	events := client.Messages.NewStreaming(ctx, asked(model))
	defer events.Close()
	var message anthropic.Message
	for events.Next() {
		if err := message.Accumulate(events.Current()); err != nil {
			return answer{}, err
		}
	}
	if err := events.Err(); err != nil {
		return answer{}, err
	}
	return shown(&message), nil
}

type place struct {
	City string `json:"city" jsonschema:"required"`
}

func weather(_ context.Context, at place) (anthropic.BetaToolResultBlockParamContentUnion, error) {
	rain := &anthropic.BetaTextBlockParam{Text: "rain in " + at.City}
	return anthropic.BetaToolResultBlockParamContentUnion{OfText: rain}, nil
}

func loop(model string) (answer, error) {
	get, err := toolrunner.NewBetaToolFromJSONSchema("get_weather", "Weather", weather)
	if err != nil {
		return answer{}, err
	}
	hello := anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("Hello"))
	runner := client.Beta.Messages.NewToolRunner([]anthropic.BetaTool{get}, anthropic.BetaToolRunnerParams{
		BetaMessageNewParams: anthropic.BetaMessageNewParams{
			Model:     model,
			MaxTokens: 1000,
			Messages:  []anthropic.BetaMessageParam{hello},
		},
	})
	message, err := runner.RunToCompletion(ctx)
	if err != nil {
		return answer{}, err
	}
	last := answer{id: message.ID}
	for _, block := range message.Content {
		last.text += block.Text
	}
	return last, nil
}

func count(model string) (answer, error) {
	tokens, err := client.Messages.CountTokens(ctx, anthropic.MessageCountTokensParams{Model: model, Messages: messages})
	if err != nil || tokens.InputTokens == 0 {
		return answer{}, err
	}
	return answer{text: text}, nil
}
