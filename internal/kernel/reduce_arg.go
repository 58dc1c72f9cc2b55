package kernel

// ArgGreatest returns which of the n elements x[0], x[stride], x[2·stride], … is the greatest: the first of equals, the first NaN
// before all numbers.
func ArgGreatest[T Number](n, stride int, x []T) (place int) {
	if stride == 1 {
		return placeOf(x[:n], Greatest(x[:n]))
	}
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
	if stride == 1 {
		return placeOf(x[:n], Least(x[:n]))
	}
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

// placeOf returns the place of the first element that is v, or NaN where that is.
func placeOf[T Number](x []T, v T) (place int) {
	if v != v {
		for x[place] == x[place] {
			place++
		}
		return place
	}
	for x[place] != v {
		place++
	}
	return place
}
