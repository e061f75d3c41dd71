package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
)

var (
	url = os.Getenv("ATTUNE_URL")
	key = os.Getenv("ATTUNE_KEY")
	ctx = context.Background()
)

const (
	text = "Grüße 🌍"
	// What upstreams say that fail.
	reason = "the oracle of Oslo"
)

// Steps that are tried on models that fail too.
var plain = []string{"chat", "responses", "messages"}

var failures = []struct{ name, way string }{{"error", "refused"}, {"429", "limited"}}

var parameters = map[string]any{
	"type":       "object",
	"properties": map[string]any{"city": map[string]any{"type": "string"}},
	"required":   []string{"city"},
}

// The text of the last answer and its id, which is empty where the client shows none.
type answer struct{ text, id string }

type step struct {
	name string
	act  func(model string) (answer, error)
}

type line struct {
	Model string `json:"model"`
	Step  string `json:"step"`
	Held  bool   `json:"held"`
	Rated bool   `json:"rated"`
	Note  string `json:"note"`
}

// Runs the steps on a model of each kind of upstream, and prints a line of JSON each.
func run(steps ...step) {
	for _, kind := range []string{"chat", "responses", "messages"} {
		model := fmt.Sprintf("attune/%s-model", kind)
		for _, step := range steps {
			printLine(model, step.name, attempt(step, model))
		}
		for _, step := range steps {
			if !slices.Contains(plain, step.name) {
				continue
			}
			for _, failure := range failures {
				failing := fmt.Sprintf("attune/%s-%s-model", kind, failure.way)
				printLine(model, step.name+" "+failure.name, fail(step, failing))
			}
		}
	}
}

func printLine(model, name string, result line) {
	result.Model, result.Step = model, name
	result.Note = strings.ReplaceAll(result.Note, "\n", " ")
	printed, _ := json.Marshal(result)
	fmt.Println(string(printed))
}

func attempt(step step, model string) line {
	answer, err := step.act(model)
	switch {
	case err != nil:
		return line{Note: err.Error()}
	case !strings.Contains(answer.text, text):
		return line{Note: fmt.Sprintf("the text is %q", answer.text)}
	case answer.id == "":
		return line{Held: true}
	}
	if err := rate(answer.id); err != nil {
		return line{Note: fmt.Sprintf("no feedback by the id %s: %v", answer.id, err)}
	}
	return line{Held: true, Rated: true}
}

// A call has to fail, with the upstream's reason.
func fail(step step, model string) line {
	answer, err := step.act(model)
	switch {
	case err == nil:
		return line{Note: fmt.Sprintf("it did not fail: %q", answer.text)}
	case !strings.Contains(err.Error(), reason):
		return line{Note: fmt.Sprintf("the reason is not in %v", err)}
	}
	return line{Held: true, Rated: true}
}

func rate(id string) error {
	body, _ := json.Marshal([]any{map[string]any{"id": id, "feedback": map[string]any{"helpful": true}}})
	request, err := http.NewRequest(http.MethodPost, url+"/v1/feedback", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("authorization", "Bearer "+key)
	request.Header.Set("content-type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var results []struct {
		Error json.RawMessage `json:"error"`
	}
	if err := json.NewDecoder(response.Body).Decode(&results); err != nil {
		return err
	}
	if len(results) != 1 || string(results[0].Error) != "null" {
		return errors.New("it is refused")
	}
	return nil
}
