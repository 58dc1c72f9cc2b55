package kernel

// ArgGreatest returns which of the n elements x[0], x[stride], x[2·stride], … is the greatest: the first of equals, the first NaN
// before all numbers.
func ArgGreatest[T Number](n, stride int, x []T) (place int) {
	best, at := x[0], 0
	for i := range n {
		v := x[at]
		if v != v {
			return i
		}
		if v > best {
			best, place = v, i
		}
		at += stride
	}
	return place
}

// ArgLeast is ArgGreatest for the least element.
func ArgLeast[T Number](n, stride int, x []T) (place int) {
	best, at := x[0], 0
	for i := range n {
		v := x[at]
		if v != v {
			return i
		}
		if v < best {
			best, place = v, i
		}
		at += stride
	}
	return place
}
