// The official Go SDK as a program: see programs.ts for what it reads and prints.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type reach struct {
	URL     string            `json:"url"`
	Token   string            `json:"token"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

type asked struct {
	Do       string         `json:"do"`
	Name     string         `json:"name"`
	Args     map[string]any `json:"args"`
	Consents bool           `json:"consents"`
	Seconds  float64        `json:"seconds"`
}

type bearer struct{ token string }

func (b bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(request)
}

var consents = true

func elicit(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	if !consents {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"approved": true}}, nil
}

func transport(to reach) mcp.Transport {
	if to.URL != "" {
		return &mcp.StreamableClientTransport{
			Endpoint:             to.URL,
			HTTPClient:           &http.Client{Transport: bearer{to.Token}},
			DisableStandaloneSSE: true,
		}
	}
	command := exec.Command(to.Command, to.Args...)
	for name, value := range to.Env {
		command.Env = append(command.Env, name+"="+value)
	}
	return &mcp.CommandTransport{Command: command}
}

func do(session *mcp.ClientSession, what asked) (any, error) {
	if what.Do == "list" {
		listed, err := session.ListTools(context.Background(), nil)
		if err != nil {
			return nil, err
		}
		names := []string{}
		for _, tool := range listed.Tools {
			names = append(names, tool.Name)
		}
		return names, nil
	}
	consents = what.Consents
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(what.Seconds*float64(time.Second)))
	defer cancel()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: what.Name, Arguments: what.Args})
	if err != nil {
		return nil, err
	}
	text, _ := result.Content[0].(*mcp.TextContent)
	return map[string]any{"isError": result.IsError, "text": text.Text}, nil
}

func main() {
	var to reach
	if err := json.Unmarshal([]byte(os.Getenv("ROUNDHOUSE_REACH")), &to); err != nil {
		panic(err)
	}
	client := mcp.NewClient(
		&mcp.Implementation{Name: "go", Version: "1"},
		&mcp.ClientOptions{ElicitationHandler: elicit},
	)
	session, err := client.Connect(context.Background(), transport(to), nil)
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var what asked
		answer := map[string]any{}
		if err := json.Unmarshal(lines.Bytes(), &what); err != nil {
			panic(err)
		}
		if value, err := do(session, what); err != nil {
			answer["error"] = err.Error()
		} else {
			answer["value"] = value
		}
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
	session.Close()
}
