// Command client lists models, generates, cancels a stream, and sends feedback, over gRPC.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	contentv1 "attune.example/client/gen/attune/content/v1"
	feedbackv1 "attune.example/client/gen/attune/feedback/v1"
	inferencev1 "attune.example/client/gen/attune/inference/v1"
	modelv1 "attune.example/client/gen/attune/model/v1"
)

const timeout = 30 * time.Second

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	connection, err := connect(cmp.Or(os.Getenv("ATTUNE_URL"), "http://127.0.0.1:8080"))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx := metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+os.Getenv("ATTUNE_KEY"))

	models, err := listModels(ctx, modelv1.NewModelServiceClient(connection))
	if err != nil {
		return fmt.Errorf("list models: %w", err)
	}
	fmt.Printf("models: %d, the first is %s\n", len(models), models[0].GetId())
	model := cmp.Or(os.Getenv("ATTUNE_MODEL"), models[0].GetId())

	inference := inferencev1.NewInferenceServiceClient(connection)
	answer, err := generate(ctx, inference, model)
	if err != nil {
		return fmt.Errorf("generate: %w", err)
	}

	end, err := cancelStream(ctx, inference, model)
	if err != nil {
		return fmt.Errorf("stream: %w", err)
	}
	fmt.Printf("stream: %s\n", end)

	call, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	reason := "it said hello"
	stored, err := feedbackv1.NewFeedbackServiceClient(connection).CreateMetric(call, &feedbackv1.CreateMetricRequest{
		InferenceId: answer.GetId(),
		Name:        "helpful",
		Value:       &feedbackv1.CreateMetricRequest_Boolean{Boolean: true},
		Reason:      &reason,
	})
	if err != nil {
		return fmt.Errorf("feedback: %w", err)
	}
	fmt.Printf("feedback: %s\n", stored.GetId())
	return nil
}

func connect(address string) (*grpc.ClientConn, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	transport := insecure.NewCredentials()
	if parsed.Scheme == "https" {
		transport = credentials.NewTLS(nil)
	}
	return grpc.NewClient(parsed.Host, grpc.WithTransportCredentials(transport))
}

func listModels(ctx context.Context, client modelv1.ModelServiceClient) ([]*modelv1.Model, error) {
	var models []*modelv1.Model
	request := &modelv1.ListModelsRequest{PageSize: 2}
	for {
		call, cancel := context.WithTimeout(ctx, timeout)
		page, err := client.ListModels(call, request)
		cancel()
		if err != nil {
			return nil, err
		}
		models = append(models, page.GetModels()...)
		if page.GetNextPageToken() == "" {
			return models, nil
		}
		request.PageToken = page.GetNextPageToken()
	}
}

func ask(model, text string) *inferencev1.InferenceInput {
	block := &contentv1.ContentBlock{Kind: &contentv1.ContentBlock_Text{Text: &contentv1.TextBlock{Text: text}}}
	maxOutputTokens := int32(1000)
	return &inferencev1.InferenceInput{
		Model:           model,
		Messages:        []*contentv1.Message{{Role: contentv1.Role_ROLE_USER, Content: []*contentv1.ContentBlock{block}}},
		MaxOutputTokens: &maxOutputTokens,
	}
}

func generate(ctx context.Context, client inferencev1.InferenceServiceClient, model string) (*inferencev1.GenerateResponse, error) {
	call, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answer, err := client.Generate(call, &inferencev1.GenerateRequest{Input: ask(model, "Say hello.")})
	if err != nil {
		return nil, err
	}
	text := ""
	for _, block := range answer.GetContent() {
		text += block.GetText().GetText()
	}
	tokens := answer.GetFinished().GetUsage().GetOutputTokens()
	fmt.Printf("generate: %d tokens, %d characters\n", tokens, len([]rune(text)))
	return answer, nil
}

// cancelStream reads a stream up to its first text, and leaves it.
func cancelStream(ctx context.Context, client inferencev1.InferenceServiceClient, model string) (string, error) {
	call, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	input := ask(model, "Count to a hundred.")
	stream, err := client.StreamGenerate(call, &inferencev1.StreamGenerateRequest{Input: input})
	if err != nil {
		return "", err
	}
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return "ended", nil
		}
		if status.Code(err) == codes.Canceled {
			return "canceled", nil
		}
		if err != nil {
			return "", err
		}
		for _, event := range response.GetEvents() {
			if event.GetBlockDelta().GetText() != "" {
				cancel()
			}
		}
	}
}
