package op

import (
	"reflect"
	"strconv"
	"strings"
)

// merge gives equal applications to equal inputs one result. Random ops, effects, ops with a body or a run-time count, and constants that
// would only be kept longer stay apart, and so do applications of different recompute segments.
func (o *optimizer) merge(fetch []*Node) []*Node {
	seen := map[string][]*Call{}
	ids := map[*Node]int{}
	o.by = map[*Node]*Node{}
	for _, c := range o.calls {
		o.rewire(c)
		if !mergeable(c) {
			continue
		}
		key := mergeKey(c, ids)
		twin := findTwin(seen[key], c)
		if twin == nil {
			seen[key] = append(seen[key], c)
			continue
		}
		for i, n := range c.Out {
			o.by[n] = twin.Out[i]
		}
	}
	return o.finish(fetch)
}

func mergeable(c *Call) bool {
	t := traitsOf(c.Op)
	if t.Random || c.Effect() || len(c.Deps) > 0 {
		return false
	}
	if _, ok := c.Op.(Bodied); ok {
		return false
	}
	if f, ok := c.Op.(full); ok && len(f.Shape) > 0 {
		return false
	}
	for _, n := range c.Out {
		if _, counted := c.graph.Symbols(n.shape); counted {
			return false
		}
	}
	return true
}

// mergeKey is equal for applications of equally named ops to the same inputs in one segment.
func mergeKey(c *Call, ids map[*Node]int) string {
	var b strings.Builder
	b.WriteString(c.Op.Name() + " " + strconv.Itoa(c.Segment))
	for _, in := range c.In {
		if _, ok := ids[in]; !ok {
			ids[in] = len(ids)
		}
		b.WriteString(" " + strconv.Itoa(ids[in]))
	}
	return b.String()
}

func findTwin(calls []*Call, c *Call) *Call {
	for _, t := range calls {
		if reflect.TypeOf(t.Op) == reflect.TypeOf(c.Op) && reflect.DeepEqual(t.Op, c.Op) {
			return t
		}
	}
	return nil
}
