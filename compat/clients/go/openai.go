package main

import (
	"errors"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

var client = openai.NewClient(option.WithAPIKey(key), option.WithBaseURL(url+"/v1/"), option.WithMaxRetries(0))

func main() {
	run(
		step{"chat", withMessage(chat)},
		step{"chat stream", chatStream},
		step{"chat tools", chatTools},
		step{"responses", withMessage(respond)},
		step{"responses stream", respondStream},
		step{"responses tools", respondTools},
	)
}

// The text of an error has its status alone.
func withMessage(act func(string) (answer, error)) func(string) (answer, error) {
	return func(model string) (answer, error) {
		answer, err := act(model)
		var failed *openai.Error
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w: %s", err, failed.Message)
		}
		return answer, err
	}
}

func asked(model string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Hello")},
	}
}

func chat(model string) (answer, error) {
	completion, err := client.Chat.Completions.New(ctx, asked(model))
	if err != nil {
		return answer{}, err
	}
	return answer{completion.Choices[0].Message.Content, completion.ID}, nil
}

func chatStream(model string) (answer, error) {
	stream := client.Chat.Completions.NewStreaming(ctx, asked(model))
	defer stream.Close()
	var whole openai.ChatCompletionAccumulator
	for stream.Next() {
		whole.AddChunk(stream.Current())
	}
	if err := stream.Err(); err != nil {
		return answer{}, err
	}
	return answer{whole.Choices[0].Message.Content, whole.ID}, nil
}

func chatTools(model string) (answer, error) {
	params := asked(model)
	params.Tools = []openai.ChatCompletionToolUnionParam{
		openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "get_weather", Parameters: parameters}),
	}
	first, err := client.Chat.Completions.New(ctx, params)
	if err != nil {
		return answer{}, err
	}
	called := first.Choices[0].Message
	params.Messages = append(params.Messages, called.ToParam())
	for _, call := range called.ToolCalls {
		params.Messages = append(params.Messages, openai.ToolMessage("rain", call.ID))
	}
	completion, err := client.Chat.Completions.New(ctx, params)
	if err != nil {
		return answer{}, err
	}
	return answer{completion.Choices[0].Message.Content, completion.ID}, nil
}

func input(text string) responses.ResponseNewParamsInputUnion {
	return responses.ResponseNewParamsInputUnion{OfString: openai.String(text)}
}

func respond(model string) (answer, error) {
	response, err := client.Responses.New(ctx, responses.ResponseNewParams{Model: model, Input: input("Hello")})
	if err != nil {
		return answer{}, err
	}
	return answer{response.OutputText(), response.ID}, nil
}

func respondStream(model string) (answer, error) {
	stream := client.Responses.NewStreaming(ctx, responses.ResponseNewParams{Model: model, Input: input("Hello")})
	defer stream.Close()
	var last responses.ResponseStreamEventUnion
	for stream.Next() {
		last = stream.Current()
	}
	if err := stream.Err(); err != nil {
		return answer{}, err
	}
	response := last.AsResponseCompleted().Response
	return answer{response.OutputText(), response.ID}, nil
}

func respondTools(model string) (answer, error) {
	tools := []responses.ToolUnionParam{responses.ToolParamOfFunction("get_weather", parameters, false)}
	first, err := client.Responses.New(ctx, responses.ResponseNewParams{
		Model: model,
		Input: input("Weather?"),
		Tools: tools,
	})
	if err != nil {
		return answer{}, err
	}
	var results responses.ResponseInputParam
	for _, item := range first.Output {
		if item.Type == "function_call" {
			result := responses.ResponseInputItemParamOfFunctionCallOutput("rain")
			result.OfFunctionCallOutput.CallID = openai.String(item.CallID)
			results = append(results, result)
		}
	}
	response, err := client.Responses.New(ctx, responses.ResponseNewParams{
		Model:              model,
		Input:              responses.ResponseNewParamsInputUnion{OfInputItemList: results},
		Tools:              tools,
		PreviousResponseID: openai.String(first.ID),
	})
	if err != nil {
		return answer{}, err
	}
	return answer{response.OutputText(), response.ID}, nil
}
