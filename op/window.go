package op

import (
	"fmt"
	"math/bits"
)

// window is what slides along one axis of an image in a convolution or a pooling.
type window struct {
	kernel, stride, dilation int
	before, after            int  // padding
	pooling                  bool // is not a convolution's
	same                     bool // padding such that there are ⌈size/stride⌉ windows
	ceil                     bool // a last window may reach beyond the padding
}

// maxWindow is the most that an attribute of a window may be. Sums and products of two do not overflow.
const maxWindow = 1<<(bits.UintSize/2-1) - 1

// span returns how many elements lie from a window's first to its last.
func (w window) span() int { return w.dilation*(w.kernel-1) + 1 }

// count returns the number of windows on an axis of the given size.
//
// With ceil there is one more where elements are left over, unless it would start behind the input and the padding in front of it:
// the lesser of ⌈(size+before+after−span)/stride⌉+1 and ⌈(size+before)/stride⌉.
func (w window) count(s *Shapes, size Dim) Dim {
	room := w.before + w.after - w.span() + w.stride
	switch {
	case w.same:
		room = w.stride - 1
	case w.ceil:
		room = w.before + w.stride - 1 + min(w.after+w.stride-w.span(), 0)
	}
	return s.Div(s.AddConst(size, room), Dim(w.stride))
}

// pads returns the padding on an axis of size elements with count windows. Of an odd number for same, the extra one is behind.
func (w window) pads(size, count int) (before, after int) {
	if !w.same {
		return w.before, w.after
	}
	total := max((count-1)*w.stride+w.span()-size, 0)
	return total / 2, total - total/2
}

// valid returns an error for attributes that make no sense on any axis.
func (w window) valid() error {
	switch {
	case max(w.kernel, w.stride, w.dilation, w.before, w.after) > maxWindow:
		return fmt.Errorf("size %d of the window, stride %d, dilation %d, padding %d and %d, want at most %d", w.kernel, w.stride, w.dilation, w.before, w.after, maxWindow)
	case w.kernel < 1:
		return fmt.Errorf("size %d of the window, want 1 or more", w.kernel)
	case w.stride < 1:
		return fmt.Errorf("stride %d, want 1 or more", w.stride)
	case w.dilation < 1:
		return fmt.Errorf("dilation %d, want 1 or more", w.dilation)
	case w.before < 0 || w.after < 0:
		return fmt.Errorf("padding %d and %d, want 0 or more", w.before, w.after)
	case w.pooling && (w.before >= w.kernel || w.after >= w.kernel): // a window could lie in the padding alone
		return fmt.Errorf("padding %d and %d, want less than the window's %d", w.before, w.after, w.kernel)
	case w.same && (w.before > 0 || w.after > 0):
		return fmt.Errorf("padding %d and %d besides Same, which finds the padding itself", w.before, w.after)
	}
	return nil
}

// fits returns an error unless there is room for a window on an axis of the given size. It knows nothing of symbolic sizes.
func (w window) fits(axis string, size Dim) error {
	if size < 0 || int(size)+w.before+w.after >= w.span() || w.same && size > 0 {
		return nil
	}
	text := fmt.Sprintf("%s %d with padding %d and %d is less than", axis, size, w.before, w.after)
	if w.pooling {
		return fmt.Errorf("%s the window's %d", text, w.kernel)
	}
	return fmt.Errorf("%s the %d that kernel %d with dilation %d covers", text, w.span(), w.kernel, w.dilation)
}

// orElse returns the first number that is not zero, or the last: how attributes get their defaults.
func orElse(values ...int) int {
	for _, v := range values {
		if v != 0 {
			return v
		}
	}
	return values[len(values)-1]
}
