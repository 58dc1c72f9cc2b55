package paddle

import "time"

// Event is something that happens in Trainer.Fit: *BeginEpoch, *BeginStep, *EndStep, *EndEpoch, in Paddle's order: an epoch begins, each of
// its steps begins and ends, the epoch ends. An event is valid during the call of the handler only: the next one uses its memory again.
type Event interface{ event() }

// BeginEpoch comes before the first batch of an epoch is read; after a resume, before the first batch of what is left of it.
type BeginEpoch struct{ Epoch int } // from 0

// BeginStep comes when a batch has been read, before the step on it.
type BeginStep struct{ Epoch, Batch int } // from 0

// EndStep comes after each training step.
type EndStep struct {
	Epoch, Batch int // from 0
	Step         Step
	Samples      int // in this batch
	Tokens       int // in this batch: rows of the first sequence that is fed, 0 without sequences
}

// EndEpoch comes after the last batch of an epoch and its validation.
type EndEpoch struct {
	Epoch        int
	Train        Result        // means over the epoch's steps
	Validation   *Result       // nil without validation data
	LearningRate float64       // of the last step
	Duration     time.Duration // of the training steps, reading included, validation not
	Samples      int
	Tokens       int // rows of the first sequence that is fed, 0 without sequences
}

// SamplesPerSecond returns the training speed of the epoch, 0 where nothing was trained.
func (e *EndEpoch) SamplesPerSecond() float64 {
	if e.Duration <= 0 {
		return 0
	}
	return float64(e.Samples) / e.Duration.Seconds()
}

// TokensPerSecond returns the training speed of the epoch in tokens of sequences, 0 where there were none.
func (e *EndEpoch) TokensPerSecond() float64 {
	if e.Duration <= 0 {
		return 0
	}
	return float64(e.Tokens) / e.Duration.Seconds()
}

func (*BeginEpoch) event() {}
func (*BeginStep) event()  {}
func (*EndStep) event()    {}
func (*EndEpoch) event()   {}

// Stop is what a handler of Trainer.Fit returns to end the training without an error.
const Stop = sentinel("paddle.Stop: the handler ends the training")

type sentinel string

// Error implements error.
func (s sentinel) Error() string { return string(s) }

// Result holds means over many batches, each batch weighted with its count. Of no batches, or where nothing counted, a mean is 0.
type Result struct {
	Loss    float64
	Count   float64 // what the loss is a mean over: samples, words, …
	Metrics []MetricValue
}

// Metric returns the mean of the tracked metric of that name; ok is false where there is none.
func (r *Result) Metric(name string) (mean float64, ok bool) {
	for _, m := range r.Metrics {
		if m.Name == name {
			return m.Value, true
		}
	}
	return 0, false
}
