package paddle

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// History is what Trainer.Fit did: the events of its epochs and, with FitOptions.RecordSteps, of its steps.
type History struct {
	Epochs []EndEpoch
	Steps  []EndStep
}

func (h *History) addStep(e *EndStep) {
	own := *e
	own.Step.Metrics = slices.Clone(e.Step.Metrics)
	h.Steps = append(h.Steps, own)
}

// WriteCSV writes a table with a line for each epoch and a heading: epoch, samples, seconds, samples_per_second, tokens and
// tokens_per_second where there were sequences, learning_rate, loss, the metrics by name, and validation_loss and validation_… where some
// epoch has them.
func (h *History) WriteCSV(w io.Writer) error {
	train, validation := h.columns()
	c := csv.NewWriter(w)
	tokens := slices.ContainsFunc(h.Epochs, func(e EndEpoch) bool { return e.Tokens > 0 })
	head := []string{"epoch", "samples", "seconds", "samples_per_second"}
	if tokens {
		head = append(head, "tokens", "tokens_per_second")
	}
	head = append(append(head, "learning_rate"), train...)
	for _, name := range validation {
		head = append(head, "validation_"+name)
	}
	if err := c.Write(head); err != nil {
		return fmt.Errorf("paddle.History: %w", err)
	}
	for i := range h.Epochs {
		e := &h.Epochs[i]
		line := []string{strconv.Itoa(e.Epoch), strconv.Itoa(e.Samples), number(e.Duration.Seconds()), number(e.SamplesPerSecond())}
		if tokens {
			line = append(line, strconv.Itoa(e.Tokens), number(e.TokensPerSecond()))
		}
		line = append(append(line, number(e.LearningRate)), cells(&e.Train, train)...)
		if err := c.Write(append(line, cells(e.Validation, validation)...)); err != nil {
			return fmt.Errorf("paddle.History: %w", err)
		}
	}
	c.Flush()
	return c.Error()
}

// columns returns the names of the values that some epoch has, the loss first.
func (h *History) columns() (train, validation []string) {
	add := func(names []string, r *Result) []string {
		if r == nil {
			return names
		}
		if names == nil {
			names = []string{"loss"}
		}
		for _, m := range r.Metrics {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
		return names
	}
	for i := range h.Epochs {
		train, validation = add(train, &h.Epochs[i].Train), add(validation, h.Epochs[i].Validation)
	}
	return train, validation
}

// cells returns the values of r under the given names, an empty text where there is none.
func cells(r *Result, names []string) []string {
	out := make([]string, len(names))
	if r == nil {
		return out
	}
	for i, name := range names {
		if i == 0 {
			out[i] = number(r.Loss)
		} else if v, ok := r.Metric(name); ok {
			out[i] = number(v)
		}
	}
	return out
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
