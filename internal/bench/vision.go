package main

import (
	"paddle/layer"
	"paddle/op"
)

// residual is the sum of a body and a way around it, of which nil is x itself.
type residual struct {
	Body, Around layer.Layer
	Act          op.ActivationFunc
}

// Forward builds the sum.
func (r *residual) Forward(x *op.Node) *op.Node {
	around := x
	if r.Around != nil {
		around = r.Around.Forward(x)
	}
	y := op.Add(r.Body.Forward(x), around)
	if r.Act != nil {
		y = r.Act(y)
	}
	return y
}

// normed is a convolution that keeps the size of the image but for the stride, and a batch norm.
func normed(kernel, filters, stride, groups int, act op.ActivationFunc) layer.Sequential {
	return layer.Sequential{
		&layer.Conv2D{Filters: filters, Kernel: kernel, Stride: stride, Padding: kernel / 2, Groups: groups, NoBias: true}, &layer.BatchNorm{Act: act},
	}
}

// head is the mean over the image and a class for it.
func head() layer.Sequential {
	return layer.Sequential{layer.Func(func(x *op.Node) *op.Node { return op.Mean(x, 2, 3) }), &layer.FC{Size: 10}}
}

// resnet is ResNet-20 for images of 32×32, with projections where the size changes (He et al., 2016).
func resnet() layer.Sequential {
	net := layer.Sequential{normed(3, 16, 1, 1, op.ReLU)}
	for stage, filters := range []int{16, 32, 64} {
		for block := range 3 {
			r, stride := &residual{Act: op.ReLU}, 1
			if stage > 0 && block == 0 {
				stride, r.Around = 2, normed(1, filters, 2, 1, nil)
			}
			r.Body = layer.Sequential{normed(3, filters, stride, 1, op.ReLU), normed(3, filters, 1, 1, nil)}
			net = append(net, r)
		}
	}
	return append(net, head())
}

func relu6(x *op.Node) *op.Node { return op.Clip(x, 0, 6) }

// mobilenet is a small MobileNetV2 for images of 64×64: inverted residuals, four times as wide inside (Sandler et al., 2018).
func mobilenet() layer.Sequential {
	net, in := layer.Sequential{normed(3, 16, 2, 1, relu6)}, 16
	for _, b := range []struct{ filters, stride int }{{16, 1}, {24, 2}, {24, 1}, {32, 2}, {32, 1}, {32, 1}, {64, 2}, {64, 1}, {64, 1}} {
		body := layer.Sequential{normed(1, 4*in, 1, 1, relu6), normed(3, 4*in, b.stride, 4*in, relu6), normed(1, b.filters, 1, 1, nil)}
		if b.stride == 1 && b.filters == in {
			net = append(net, &residual{Body: body})
		} else {
			net = append(net, body)
		}
		in = b.filters
	}
	return append(net, normed(1, 256, 1, 1, relu6), head())
}

func resnets() []benchmark {
	return []benchmark{classifier("resnet20 momentum b32", resnet(), 10, momentum(), 32, 3, 32, 32)}
}

func mobilenets() []benchmark {
	return []benchmark{classifier("mobilenet momentum b32", mobilenet(), 10, momentum(), 32, 3, 64, 64)}
}
