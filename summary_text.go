package paddle

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// String returns the table: a line for each layer, and the sums.
func (s *ModelSummary) String() string {
	rows := [][]string{{"layer", "kind", "output", "parameters", "FLOPs"}}
	for _, l := range s.Layers {
		rows = append(rows, []string{l.Path, l.Kind, l.Output, thousands(int64(l.Parameters)), thousands(l.FLOPs)})
	}
	rows = append(rows, []string{"total", "", "", thousands(int64(s.Parameters)), thousands(s.FLOPs)})
	var b strings.Builder
	writeTable(&b, rows, 3)
	var at []string
	for _, name := range slices.Sorted(maps.Keys(s.Sizes)) {
		at = append(at, fmt.Sprintf("%s %d", name, s.Sizes[name]))
	}
	fmt.Fprintf(&b, "%s bytes of values", thousands(int64(s.Memory)))
	if len(at) > 0 {
		b.WriteString(" at " + strings.Join(at, ", "))
	}
	if s.Frozen > 0 {
		fmt.Fprintf(&b, "; %s of the parameters are frozen", thousands(int64(s.Frozen)))
	}
	b.WriteByte('\n')
	return b.String()
}

// writeTable writes rows in columns, those from number on aligned at the right.
func writeTable(b *strings.Builder, rows [][]string, number int) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			if i >= number {
				fmt.Fprintf(&line, "%*s  ", width[i], cell)
			} else {
				fmt.Fprintf(&line, "%-*s  ", width[i], cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// thousands prints 1234567 as 1,234,567.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
