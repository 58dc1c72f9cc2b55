package paddle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"paddle/op"
)

// FitOptions say how Trainer.Fit trains.
type FitOptions struct {
	// Epochs is how many epochs the training has in all, at least 1: a trainer that has taken part of them, in an earlier Fit or before
	// a checkpoint was saved, takes those that are left.
	Epochs int
	// Validate is data to Test the model with after each epoch; nil: none.
	Validate iter.Seq2[op.Feeds, error]
	// Handler gets every Event. Where it returns Stop, the training ends without an error; another error ends it with that.
	Handler func(Event) error
	// Progress gets a progress bar if it is a terminal, else a line after each epoch and now and then within long ones; nil: nothing.
	Progress io.Writer
	// Checkpoint is the file that the training is saved to (Trainer.Save) after each epoch and when Fit ends, whatever the reason; empty:
	// none.
	Checkpoint string
	// CheckpointEvery has it saved also whenever so many steps have been taken since the last time; 0: never.
	CheckpointEvery int
	// RecordSteps keeps every step in the History, not the epochs only.
	RecordSteps bool
}

// Fit trains on the batches of train, the pass over the data of each epoch, until Epochs epochs have been taken. See package datasets for
// readers whose every epoch can be read again: then a training that was interrupted and restored (Trainer.Load) goes on in the
// middle of an epoch, after the batches that it had taken, and gives the very same bits as one that was not.
//
// An error of the reader, of a step, or of the context ends Fit with an error that names the epoch and the batch, from 0; an epoch without
// batches is an error too. What was trained until then stays, and another Fit goes on from there. The History has what was done,
// also beside an error.
func (t *Trainer) Fit(ctx context.Context, train func(epoch int) iter.Seq2[op.Feeds, error], o FitOptions) (*History, error) {
	f := &fit{trainer: t, train: train, options: o, history: &History{}}
	if err := f.check(); err != nil {
		return f.history, fmt.Errorf("paddle.Trainer.Fit: %w", err)
	}
	if err := t.enter(); err != nil {
		return f.history, fmt.Errorf("paddle.Trainer.Fit: %w", err)
	}
	defer t.leave()
	f.reporter = newReporter(o.Progress, o.Epochs)
	err := f.run(ctx)
	f.reporter.close()
	if errors.Is(err, Stop) {
		err = nil
	}
	if err = errors.Join(err, f.save(1)); err != nil {
		return f.history, fmt.Errorf("paddle.Trainer.Fit: %w", err)
	}
	return f.history, nil
}

// fit is one call of Fit.
type fit struct {
	trainer  *Trainer
	train    func(epoch int) iter.Seq2[op.Feeds, error]
	options  FitOptions
	history  *History
	reporter *reporter
	unsaved  int // steps since the last checkpoint

	beginStep BeginStep // memory of the events
	endStep   EndStep
}

func (f *fit) check() error {
	if err := f.trainer.made(); err != nil {
		return err
	}
	switch o := f.options; {
	case f.train == nil:
		return errors.New("the training data is nil")
	case o.Epochs < 1:
		return fmt.Errorf("%d epochs, want 1 or more", o.Epochs)
	case o.CheckpointEvery < 0:
		return fmt.Errorf("a checkpoint every %d steps, want 0 or more", o.CheckpointEvery)
	case o.CheckpointEvery > 0 && o.Checkpoint == "":
		return errors.New("CheckpointEvery is set, and no file to save to")
	}
	return nil
}

func (f *fit) run(ctx context.Context) error {
	for {
		epoch, _ := f.trainer.Position()
		if epoch >= f.options.Epochs {
			return nil
		}
		if err := f.epoch(ctx, epoch); err != nil {
			return err
		}
	}
}

// emit passes an event to the handler.
func (f *fit) emit(e Event) error {
	if f.options.Handler == nil {
		return nil
	}
	return f.options.Handler(e)
}

// epoch trains the rest of an epoch and ends it.
func (f *fit) epoch(ctx context.Context, epoch int) error {
	if err := f.emit(&BeginEpoch{epoch}); err != nil {
		return fmt.Errorf("epoch %d: %w", epoch, err)
	}
	if err := f.batches(ctx, epoch); err != nil {
		return err
	}
	m := &f.trainer.position.means // written by this goroutine only
	end := EndEpoch{Epoch: epoch, Train: m.result(), LearningRate: m.learningRate, Duration: m.duration, Samples: m.size.samples, Tokens: m.size.tokens}
	if f.options.Validate != nil {
		r, batch, err := f.trainer.evaluate(ctx, f.options.Validate)
		if err != nil {
			return fmt.Errorf("epoch %d, validation batch %d: %w", epoch, max(batch, 0), err)
		}
		end.Validation = &r
	}
	f.trainer.finish()
	f.history.Epochs = append(f.history.Epochs, end)
	f.unsaved++ // the end of the epoch is to be saved too
	f.reporter.epoch(&end)
	if err := f.emit(&end); err != nil {
		return fmt.Errorf("epoch %d: %w", epoch, err)
	}
	return f.save(1)
}

// batches takes the batches of an epoch that have not been taken.
func (f *fit) batches(ctx context.Context, epoch int) error {
	data := f.train(epoch)
	if data == nil {
		return fmt.Errorf("epoch %d: the reader is nil", epoch)
	}
	_, taken := f.trainer.Position()
	f.reporter.begin(epoch, taken)
	batch := 0
	began := time.Now()
	for feeds, err := range data {
		switch {
		case err != nil:
			err = fmt.Errorf("reading: %w", err)
		case batch < taken:
			err = ctx.Err()
		default:
			err = f.step(ctx, epoch, batch, feeds, began)
			began = time.Now()
		}
		if err != nil {
			return fmt.Errorf("epoch %d, batch %d: %w", epoch, batch, err)
		}
		batch++
	}
	switch {
	case batch == 0:
		return fmt.Errorf("epoch %d: the reader gives no batches", epoch)
	case batch < taken:
		return fmt.Errorf("epoch %d: the reader gives %d batches, and %d were taken before", epoch, batch, taken)
	}
	return nil
}

// step trains on one batch.
func (f *fit) step(ctx context.Context, epoch, batch int, feeds op.Feeds, began time.Time) error {
	f.beginStep = BeginStep{epoch, batch}
	if err := f.emit(&f.beginStep); err != nil {
		return err
	}
	s, n, err := f.trainer.advance(ctx, feeds, began)
	if err != nil {
		return err
	}
	f.unsaved++
	f.endStep = EndStep{epoch, batch, s, n.samples, n.tokens}
	if f.options.RecordSteps {
		f.history.addStep(&f.endStep)
	}
	f.reporter.step(&f.trainer.position.means, batch)
	if err := f.emit(&f.endStep); err != nil {
		return err
	}
	if every := f.options.CheckpointEvery; every > 0 {
		return f.save(every)
	}
	return nil
}

// save saves the training if there is a file for it and at least that many steps have not been saved.
func (f *fit) save(least int) error {
	if f.options.Checkpoint == "" || f.unsaved < least {
		return nil
	}
	f.unsaved = 0
	if err := saveTrainers(f.options.Checkpoint, []*Trainer{f.trainer}); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}
