package preflightgenai

import (
	"context"

	"google.golang.org/genai/interactions/models/interactions"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// This file repairs requests to the Interactions API.

// Steps repairs a history of steps, as a caller keeps it who sends all of it with every request:
// Input of the request is interactions.NewInteractionsInput(steps), and the Steps of the answer are
// appended to the history. The model and the other members of the request are not known to it,
// unless options name a model: Interaction knows them. options may be nil.
func Steps(
	ctx context.Context,
	steps []interactions.Step,
	options *wire.Options,
) ([]interactions.Step, []wire.Warning, error) {
	return stepFormat.Messages(ctx, steps, options)
}

// Interaction repairs a whole request to a model, given as it is to Interactions.Create, whatever
// the form of its Input. Of one that continues an interaction, by its PreviousInteractionID, the
// server holds the beginning: the result of a call from there stays. What params refer to is not
// written to. options may be nil.
func Interaction(
	ctx context.Context,
	params interactions.CreateModelInteraction,
	options *wire.Options,
) (interactions.CreateModelInteraction, []wire.Warning, error) {
	return stepParams.Sanitize(ctx, params, options)
}

var (
	stepFormat = &adapter.Format[interactions.Step]{
		Provider:  "gemini-interactions",
		List:      "input",
		Unmarshal: adapter.Exactly[interactions.Step],
	}
	stepParams = &adapter.Params[interactions.Step, interactions.CreateModelInteraction]{
		Format: stepFormat, Messages: stepsOf,
	}
)

// stepsOf returns the field with the steps of a request, in an input of its own.
func stepsOf(params *interactions.CreateModelInteraction) *[]interactions.Step {
	if params.Input == nil || params.Input.Type != interactions.InteractionsInputTypeArrayOfStep {
		return new([]interactions.Step) // the input has another form
	}
	own := *params.Input
	params.Input = &own
	return &own.ArrayOfStep
}
