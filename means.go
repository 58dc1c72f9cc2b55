package paddle

import "time"

// means sums what the steps of an epoch gave, each weighted with its count.
type means struct {
	loss, count  float64
	metrics      []weighted
	size         size
	duration     time.Duration
	learningRate float64 // of the last step
}

// weighted is the sum of a metric times its count, and the sum of the counts.
type weighted struct {
	name       string
	sum, count float64
}

// add adds a step on a batch of that size. It allocates in the first step only.
func (m *means) add(s *Step, n size, d time.Duration) {
	m.loss += weigh(s.Loss, s.Count)
	m.count += s.Count
	for _, v := range s.Metrics {
		w := m.metric(v.Name)
		w.sum += weigh(v.Value, v.Count)
		w.count += v.Count
	}
	m.size.samples += n.samples
	m.size.tokens += n.tokens
	m.duration += d
	m.learningRate = s.LearningRate
}

// weigh returns value·count; nothing counted is nothing, whatever the value.
func weigh(value, count float64) float64 {
	if count == 0 {
		return 0
	}
	return value * count
}

func (m *means) metric(name string) *weighted {
	for i := range m.metrics {
		if m.metrics[i].name == name {
			return &m.metrics[i]
		}
	}
	m.metrics = append(m.metrics, weighted{name: name})
	return &m.metrics[len(m.metrics)-1]
}

// mean returns sum/count, 0 where nothing counted.
func mean(sum, count float64) float64 {
	if count == 0 {
		return 0
	}
	return sum / count
}

// result returns the means so far, in memory of its own.
func (m *means) result() Result {
	r := Result{Loss: mean(m.loss, m.count), Count: m.count}
	for _, w := range m.metrics {
		r.Metrics = append(r.Metrics, MetricValue{w.name, mean(w.sum, w.count), w.count})
	}
	return r
}
