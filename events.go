package paddle

import "time"

// Event is something that happens in Trainer.Fit: BeginEpoch, EndStep, EndEpoch.
type Event interface{ event() }

// BeginEpoch comes before the first batch of an epoch.
type BeginEpoch struct{ Epoch int } // from 0

// EndStep comes after each training step.
type EndStep struct {
	Epoch, Batch int // from 0
	Step         Step
	Samples      int // in this batch
}

// EndEpoch comes after the last batch of an epoch and its validation.
type EndEpoch struct {
	Epoch      int
	Train      Result        // means over the epoch's steps
	Validation *Result       // nil without validation data
	Duration   time.Duration // of the training steps, reading included, validation not
	Samples    int
}

func (BeginEpoch) event() {}
func (EndStep) event()    {}
func (EndEpoch) event()   {}

// Result holds means over many batches, each batch weighted with its count.
type Result struct {
	Loss    float64
	Count   float64
	Metrics []MetricValue
}
