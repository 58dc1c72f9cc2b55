package paddle

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// The least time between two prints within an epoch: a bar moves smoothly, a log stays readable.
const (
	barInterval  = 200 * time.Millisecond
	lineInterval = 10 * time.Second
)

// reporter tells how a training gets on: as a bar where it writes to a terminal, else in lines. Between two prints a step costs
// it one look at the clock. A nil reporter does nothing.
type reporter struct {
	out      io.Writer
	epochs   int
	terminal bool
	interval time.Duration
	now      func() time.Time

	printed time.Time // last
	index   int       // epoch, from 0
	batches int       // in an epoch, 0 while unknown
	seen    int       // batches of this epoch
	bar     *progressbar.ProgressBar
}

func newReporter(out io.Writer, epochs int) *reporter {
	if out == nil {
		return nil
	}
	r := &reporter{out: out, epochs: epochs, interval: lineInterval, now: time.Now}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		r.terminal, r.interval = true, barInterval
	}
	return r
}

// begin begins an epoch of which some batches have been taken.
func (r *reporter) begin(epoch, taken int) {
	if r == nil {
		return
	}
	r.index, r.seen, r.printed = epoch, taken, r.now()
}

// step tells of the means after a step.
func (r *reporter) step(m *means, batch int) {
	if r == nil {
		return
	}
	r.seen = batch + 1
	now := r.now()
	if now.Sub(r.printed) < r.interval {
		return
	}
	r.printed = now
	if r.terminal {
		r.draw(m)
		return
	}
	fmt.Fprintf(r.out, "epoch %d/%d, batch %s: %s\n", r.index+1, r.epochs, r.place(), r.describe(m))
}

// place returns how many batches of the epoch have been taken.
func (r *reporter) place() string {
	if r.batches == 0 {
		return fmt.Sprint(r.seen)
	}
	return fmt.Sprintf("%d of %d", r.seen, r.batches)
}

// describe returns the means, the speed and the time that is left.
func (r *reporter) describe(m *means) string {
	result := m.result()
	var b strings.Builder
	describeResult(&b, "", &result)
	describeSpeed(&b, m.size, m.duration)
	if r.batches > 0 {
		left := (r.epochs-r.index)*r.batches - r.seen
		remaining := time.Duration(float64(m.duration) / float64(r.seen) * float64(left))
		fmt.Fprintf(&b, ", %v left", remaining.Round(time.Second))
	}
	return b.String()
}

// describeSpeed appends ", 320 samples/s, 70000 tokens/s".
func describeSpeed(b *strings.Builder, n size, d time.Duration) {
	if d <= 0 {
		return
	}
	fmt.Fprintf(b, ", %.0f samples/s", float64(n.samples)/d.Seconds())
	if n.tokens > 0 {
		fmt.Fprintf(b, ", %.0f tokens/s", float64(n.tokens)/d.Seconds())
	}
}

// describeResult appends "loss 0.25, accuracy 0.9".
func describeResult(b *strings.Builder, prefix string, r *Result) {
	fmt.Fprintf(b, "%sloss %.4g", prefix, r.Loss)
	for _, m := range r.Metrics {
		fmt.Fprintf(b, ", %s%s %.4g", prefix, m.Name, m.Value)
	}
}

// draw moves the bar.
func (r *reporter) draw(m *means) {
	if r.bar == nil {
		total := -1
		if r.batches > 0 {
			total = max(r.batches, r.seen+1) // not full before the epoch ends
		}
		r.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(r.out),
			progressbar.OptionSetWidth(20),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionShowDescriptionAtLineEnd(),
			progressbar.OptionUseANSICodes(true),          // no flicker
			progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine
		)
	}
	r.bar.Describe(fmt.Sprintf("epoch %d/%d, %s", r.index+1, r.epochs, r.describe(m)))
	if r.bar.GetMax() < 0 || r.seen < r.bar.GetMax() {
		r.bar.Set(r.seen) // its errors are those of the terminal
	}
}

// epoch tells of the end of an epoch.
func (r *reporter) epoch(e *EndEpoch) {
	if r == nil {
		return
	}
	r.close()
	r.batches = r.seen
	var b strings.Builder
	fmt.Fprintf(&b, "epoch %d/%d: ", r.index+1, r.epochs)
	describeResult(&b, "", &e.Train)
	if e.Validation != nil {
		b.WriteString(", ")
		describeResult(&b, "validation ", e.Validation)
	}
	describeSpeed(&b, size{e.Samples, e.Tokens}, e.Duration)
	fmt.Fprintf(&b, ", %v\n", e.Duration.Round(time.Millisecond))
	io.WriteString(r.out, b.String())
}

// close takes the bar away.
func (r *reporter) close() {
	if r == nil || r.bar == nil {
		return
	}
	r.bar.Clear()
	r.bar = nil
}
