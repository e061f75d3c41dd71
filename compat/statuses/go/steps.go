package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// A call that is still waiting by then is ended.
const limit = 80 * time.Second

const (
	model  = "attune/gpt-6-astra"
	claude = "attune/claude-sonnet-5-5"
	prompt = "Good day?"
)

// Makes a call to a base URL without /v1, and returns the text of its stream.
type call func(ctx context.Context, url string) (string, error)

type line struct {
	Column string `json:"column"`
	IsText bool   `json:"isText"`
	Note   string `json:"note"`
}

// Makes one call of a client for each column, and prints of each, as a line of JSON, how it ended.
func run(calls map[string]call) {
	var columns []string
	if err := json.Unmarshal([]byte(os.Getenv("COLUMNS")), &columns); err != nil {
		panic(err)
	}
	var waiting sync.WaitGroup
	for index, column := range columns {
		waiting.Go(func() {
			end := attempt(calls[os.Args[1]], fmt.Sprintf("%s/%d", os.Getenv("SERVER"), index))
			end.Column = column
			printed, _ := json.Marshal(end)
			fmt.Println(string(printed))
		})
	}
	waiting.Wait()
}

func attempt(act call, url string) line {
	ctx, end := context.WithTimeout(context.Background(), limit)
	defer end()
	text, err := act(ctx, url)
	switch {
	case ctx.Err() != nil:
		return line{Note: "still waiting"}
	case err != nil:
		return line{Note: err.Error()}
	}
	return line{IsText: strings.Contains(text, "Good day."), Note: text}
}
