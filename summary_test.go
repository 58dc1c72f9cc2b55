package paddle_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"paddle"
	"paddle/layer"
	"paddle/op"
	"paddle/sequence"
)

type lenet struct {
	Conv1, Conv2 layer.Conv2D
	Hidden, Out  layer.FC
}

func newLeNet() *lenet {
	return &lenet{
		Conv1:  layer.Conv2D{Filters: 20, Kernel: 5, Act: op.ReLU},
		Conv2:  layer.Conv2D{Filters: 50, Kernel: 5, Act: op.ReLU},
		Hidden: layer.FC{Size: 500, Act: op.ReLU},
		Out:    layer.FC{Size: 10},
	}
}

func (m *lenet) Forward(image *op.Node) *op.Node {
	x := op.MaxPool2D(m.Conv1.Forward(image), op.Pool{Size: 2, Stride: 2})
	x = op.MaxPool2D(m.Conv2.Forward(x), op.Pool{Size: 2, Stride: 2})
	return m.Out.Forward(m.Hidden.Forward(op.Flatten(x)))
}

func TestSummary(t *testing.T) {
	net := newLeNet()
	g := op.NewGraph(net)
	logits := net.Forward(g.Input("image", op.Float32, op.Batch, 1, 28, 28))
	loss := op.CrossEntropy(logits, g.Input("label", op.Int32, op.Batch))
	s := must(paddle.Summary(g, logits))(t)
	if len(s.Layers) != 7 || s.Layers[2].Path != "conv2" || s.Layers[2].Kind != "layer.Conv2D" || s.Layers[2].Output != "(batch, 50, 8, 8)" {
		t.Errorf("got\n%v", s)
	}
	// By hand: 20·(25+1), 50·(20·25+1), 800·500+500, 500·10+10.
	if s.Parameters != 520+25050+400500+5010 || s.Frozen != 0 {
		t.Errorf("%d parameters, %d frozen, want 431080 and none", s.Parameters, s.Frozen)
	}
	// The products alone: 2·20·24·24·25 + 2·50·8·8·500 + 2·800·500 + 2·500·10.
	if products := int64(576000 + 3200000 + 800000 + 10000); s.FLOPs < products || s.FLOPs > products*102/100 {
		t.Errorf("%d FLOPs, want little more than %d", s.FLOPs, products)
	}
	if net.Out.Weight.Allocated() {
		t.Error("Summary gave the parameters values")
	}
	all := must(must(paddle.Summary(g))(t).At(map[string]int{"batch": 32}))(t)
	if n := len(all.Layers); n != 8 || all.Layers[7].Kind != "op.CrossEntropy" || all.Layers[7].Output != loss.ShapeString() {
		t.Errorf("without outputs got\n%v", all)
	}
	at := must(s.At(map[string]int{"batch": 32}))(t)
	if at.FLOPs != 32*s.FLOPs || at.Parameters != s.Parameters {
		t.Errorf("at batch 32 %d FLOPs, want 32 times %d", at.FLOPs, s.FLOPs)
	}
	p := must(paddle.NewPredictor(logits))(t)
	must(p.Predict(context.Background(), op.Feeds{"image": floats([]int{32, 1, 28, 28}, make([]float32, 32*28*28)...)}))(t)
	if at.Memory != p.Memory() {
		t.Errorf("%d bytes are planned, and a predictor has %d", at.Memory, p.Memory())
	}
}

func TestSummaryCountsSharedParametersOnce(t *testing.T) {
	net := newMLP()
	net.Hidden.Bias = &op.Parameter{Frozen: true}
	g := op.NewGraph(net)
	x := g.Input("x", op.Float32, op.Batch, g.Dim("time"), 2)
	flat := op.Reshape(x, g.MulDims(op.Batch, g.Dim("time")), 2)
	a, b := net.Hidden.Forward(flat), net.Hidden.Forward(op.Neg(flat))
	op.Accuracy(op.Add(a, b), g.Input("label", op.Int32, g.MulDims(op.Batch, g.Dim("time"))))
	s := must(must(paddle.Summary(g))(t).At(map[string]int{"time": 5}))(t)
	if s.Parameters != 2*16+16 || s.Frozen != 16 || s.Sizes["time"] != 5 || s.Sizes["batch"] != 1 {
		t.Errorf("got\n%v", s)
	}
	var rows []string
	for _, l := range s.Layers {
		rows = append(rows, fmt.Sprint(strings.TrimSpace(l.Path+" "+l.Kind), " ", l.Parameters))
	}
	want := "op.Reshape 0, hidden layer.FC 48, op.Neg 0, hidden layer.FC 0, op.Add 0, op.Accuracy 0"
	if got := strings.Join(rows, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if last := "bytes of values at batch 1, time 5; 16 of the parameters are frozen\n"; !strings.HasSuffix(s.String(), last) {
		t.Errorf("got\n%vwant the end %s", s, last)
	}
}

// TestSummaryShowsWhatIsRead: of a recurrent layer its states, or only the last ones where nothing else is used.
func TestSummaryShowsWhatIsRead(t *testing.T) {
	net := &struct {
		Both  layer.Bidirectional
		Whole layer.GRU
	}{layer.Bidirectional{FromStart: &layer.LSTM{Size: 4}, FromEnd: &layer.LSTM{Size: 4, Reverse: true}}, layer.GRU{Size: 3}}
	g := op.NewGraph(net)
	_, last := net.Whole.Final(net.Both.Forward(sequence.Input(g, "x", op.Float32, 2)))
	op.Neg(last)
	s := must(paddle.Summary(g))(t)
	var rows []string
	for _, l := range s.Layers {
		rows = append(rows, strings.TrimSpace(l.Path+" "+l.Kind)+" "+l.Output)
	}
	want := "both.from_start layer.LSTM (x.tokens, 4); both.from_end layer.LSTM (x.tokens, 4); layer.Bidirectional (x.tokens, 8); " +
		"whole layer.GRU (batch, 3); op.Neg (batch, 3)"
	if got := strings.Join(rows, "; "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSummaryMistakes(t *testing.T) {
	g := op.NewGraph(nil)
	x := g.Input("x", op.Float32, op.Batch)
	s := must(paddle.Summary(g, op.Neg(x)))(t)
	_, errName := s.At(map[string]int{"bach": 3})
	_, errSize := s.At(map[string]int{"batch": -3})
	_, errNil := paddle.Summary(nil)
	_, errOther := paddle.Summary(op.NewGraph(nil), x)
	_, errEmpty := paddle.Summary(op.NewGraph(nil))
	_, errFailed := paddle.Summary(g, op.MatMul(x, x))
	_, errGraph := paddle.Summary(g)
	for want, err := range map[string]error{
		`the inputs have no size "bach"; they have [batch]`: errName,
		"batch is -3, want 0 or more":                       errSize,
		"paddle.Summary: the graph is nil":                  errNil,
		"paddle.Summary: x belongs to another graph":        errOther,
		"paddle.Summary: the graph computes nothing":        errEmpty,
		"op.MatMul: ":      errFailed,
		"summary_test.go:": errGraph,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func ExampleSummary() {
	net := newLeNet()
	g := op.NewGraph(net)
	logits := net.Forward(g.Input("image", op.Float32, op.Batch, 1, 28, 28))
	s, err := paddle.Summary(g, logits)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(s)
	// Output:
	// layer   kind          output               parameters      FLOPs
	// conv1   layer.Conv2D  (batch, 20, 24, 24)         520    599,040
	//         op.MaxPool2D  (batch, 20, 12, 12)           0     11,520
	// conv2   layer.Conv2D  (batch, 50, 8, 8)        25,050  3,206,400
	//         op.MaxPool2D  (batch, 50, 4, 4)             0      3,200
	//         op.Flatten    (batch, 800)                  0          0
	// hidden  layer.FC      (batch, 500)            400,500    801,000
	// out     layer.FC      (batch, 10)               5,010     10,010
	// total                                         431,080  4,631,170
	// 57,600 bytes of values at batch 1
}

// The rows of a body are planned at their widest, the batch.
func TestSummaryPlansBodies(t *testing.T) {
	g := op.NewGraph(nil)
	starts, x := g.Input("starts", op.Int32, g.Dim("steps")), g.Input("x", op.Float32, g.Dim("rows"), 8)
	start := g.Input("start", op.Float32, op.Batch, 8)
	_, last := op.Scan(op.ScanInputs{Starts: starts, Rows: []*op.Node{x}, Init: []*op.Node{start}}, func(s *op.ScanStep) (out, next []*op.Node) {
		h := op.Tanh(op.Add(op.Exp(s.Rows[0]), op.Neg(s.Memory[0])))
		return []*op.Node{h}, []*op.Node{h}
	})
	s := must(must(paddle.Summary(g, last...))(t).At(map[string]int{"batch": 3, "steps": 3, "rows": 5}))(t)
	p := must(paddle.NewPredictor(last...))(t)
	feeds := op.Feeds{
		"starts": tensor.New(tensor.WithShape(3), tensor.WithBacking([]int32{0, 3, 5})),
		"x":      floats([]int{5, 8}, make([]float32, 40)...), "start": floats([]int{3, 8}, make([]float32, 24)...),
	}
	must(p.Predict(context.Background(), feeds))(t)
	if s.Memory != p.Memory() || s.Memory == 0 {
		t.Errorf("%d bytes are planned, and a predictor has %d\n%v", s.Memory, p.Memory(), s)
	}
}
