package main

import "slices"

// place gives the values of a function their registers, or reports that there are too few. A value has its register from the first
// instruction that mentions it to the last, or, if it is older than a loop that mentions it, to the end of the loop.
func (r *routine) place() bool {
	r.code = append(r.start, r.code...)
	starting := make([][]*register, len(r.code)+1)
	for at, i := range r.code {
		for _, x := range i.mentions() {
			if x.first == 0 {
				x.first = at + 1
				starting[x.first] = append(starting[x.first], x)
			}
			x.last = at + 1
		}
	}
	r.extend(starting)
	var busy []*register
	free := map[bool][]int{false: slices.Clone(generalRegisters)}
	for n := range vectorRegisters {
		free[true] = append(free[true], n)
	}
	for at := 1; at < len(starting); at++ {
		alive := busy[:0]
		for _, x := range busy {
			if x.last > at || x.last == at && len(starting[at]) == 0 {
				alive = append(alive, x)
				continue
			}
			free[x.vector] = append(free[x.vector], x.number)
		}
		busy = alive
		for _, x := range starting[at] {
			numbers := free[x.vector]
			if len(numbers) == 0 {
				return false
			}
			pick := r.choose(x, at, numbers)
			x.number = numbers[pick]
			free[x.vector] = slices.Delete(numbers, pick, pick+1)
			busy = append(busy, x)
		}
	}
	return true
}

// choose returns which of the free registers x gets: for a copy that of the original, if that ends here, so that nothing is to be copied, and
// otherwise the one that has been free for longest.
func (r *routine) choose(x *register, at int, numbers []int) int {
	if i := r.code[at-1]; i.isCopy && i.registers[0] == x && i.registers[1].last == at {
		return slices.Index(numbers, i.registers[1].number)
	}
	return 0
}

// extend lets the values that are older than a loop live to its end, if it mentions them.
func (r *routine) extend(starting [][]*register) {
	places := map[string]int{}
	for changed := true; changed; {
		changed = false
		for at, i := range r.code {
			if i.label != "" {
				places[i.label] = at + 1
			}
			from, back := places[i.target]
			if i.target == "" || !back {
				continue
			}
			for _, all := range starting {
				for _, x := range all {
					if x.first < from && x.last >= from && x.last < at+1 {
						x.last, changed = at+1, true
					}
				}
			}
		}
	}
}
