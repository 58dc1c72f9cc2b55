package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Tabbed reads labelled texts from lines of columns that are separated by tabs. The zero value reads lines of a label, a tab and a text,
// such as those of the SMS Spam Collection:
//
//	texts, err := datasets.Tabbed{}.Load("sms.tsv") // texts.Labels() is [ham spam]
//
// The text must be in UTF-8, for others see [Windows1252]; a byte order mark at its start is left out. A line ends with a line feed, or a
// carriage return and a line feed; the last one may lack it. All lines must have equally many columns. Quotation marks and backslashes
// are characters like any other. An error names the line, counted from 1.
type Tabbed struct {
	// Label and Text are the columns of the label and of the text, counted from 1; others are left out. 0 is the first column that the
	// other of the two does not take, so that without either the label is in column 1 and the text in column 2.
	Label, Text int
	// Header leaves out the first line, which has the names of the columns.
	Header bool
	// Labels are the names of the classes 0, 1, …; another label is an error. Nil takes those that are there: in the order of the numbers
	// if they are all whole numbers, else in the order of their bytes. To read a test set, give the Labels of the training set.
	Labels []string
}

// Load reads the file at path.
func (t Tabbed) Load(path string) (*Texts, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets.Tabbed: %w", err)
	}
	defer file.Close()
	texts, err := t.read(file)
	if err != nil {
		return nil, fmt.Errorf("datasets.Tabbed: %s: %w", path, err)
	}
	return texts, nil
}

// Read reads r to its end.
func (t Tabbed) Read(r io.Reader) (*Texts, error) {
	if r == nil {
		return nil, errors.New("datasets.Tabbed: the reader is nil")
	}
	texts, err := t.read(r)
	if err != nil {
		return nil, fmt.Errorf("datasets.Tabbed: %w", err)
	}
	return texts, nil
}

func (t Tabbed) read(r io.Reader) (*Texts, error) {
	if err := t.defaults(); err != nil {
		return nil, err
	}
	var data strings.Builder
	if _, err := io.Copy(&data, r); err != nil {
		return nil, err
	}
	rows, err := t.rows(strings.TrimPrefix(data.String(), "\ufeff"))
	if err != nil {
		return nil, err
	}
	labels := t.Labels
	if labels == nil {
		labels = labelNames(rows)
	}
	ids := make(map[string]int32, len(labels))
	for id, name := range labels {
		ids[name] = int32(id)
	}
	records := make([]Text, len(rows))
	for i, row := range rows {
		id, ok := ids[row.label]
		if !ok {
			return nil, lineError(row.line, "the label is %q, want one of %q", row.label, labels)
		}
		records[i] = Text{row.text, id}
	}
	return &Texts{records, slices.Clone(labels)}, nil
}

// defaults fills in the zero values that mean something else, and checks the rest.
func (t *Tabbed) defaults() error {
	if t.Label < 0 || t.Text < 0 {
		return fmt.Errorf("the label is in column %d and the text in column %d, want at least 1", t.Label, t.Text)
	}
	if t.Label == 0 {
		t.Label = firstOtherThan(t.Text)
	}
	if t.Text == 0 {
		t.Text = firstOtherThan(t.Label)
	}
	if t.Label == t.Text {
		return fmt.Errorf("the label and the text are both in column %d", t.Label)
	}
	for i, name := range t.Labels {
		if slices.Contains(t.Labels[:i], name) {
			return fmt.Errorf("two labels have the name %q", name)
		}
	}
	return nil
}

func firstOtherThan(column int) int {
	if column == 1 {
		return 2
	}
	return 1
}

// A tabbedRow is a line's label and text.
type tabbedRow struct {
	label, text string
	line        int
}

func (t Tabbed) rows(data string) (rows []tabbedRow, err error) {
	number, columns := 0, 0
	for line := range strings.Lines(data) {
		number++
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if !utf8.ValidString(line) {
			return nil, lineError(number, "it is not UTF-8")
		}
		cells := strings.Split(line, "\t")
		switch {
		case number == 1 && len(cells) < max(t.Label, t.Text):
			return nil, lineError(number, "the number of columns is %d, want at least %d", len(cells), max(t.Label, t.Text))
		case number == 1:
			columns = len(cells)
		case len(cells) != columns:
			return nil, lineError(number, "the number of columns is %d, in line 1 it is %d", len(cells), columns)
		}
		if number > 1 || !t.Header {
			rows = append(rows, tabbedRow{cells[t.Label-1], cells[t.Text-1], number})
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("it has no texts")
	}
	return rows, nil
}

// labelNames returns the labels that rows have, in the order that Tabbed.Labels documents.
func labelNames(rows []tabbedRow) []string {
	var names []string
	seen := make(map[string]bool)
	numbers := make(map[string]int64)
	for _, row := range rows {
		if seen[row.label] {
			continue
		}
		seen[row.label] = true
		names = append(names, row.label)
		if n, err := strconv.ParseInt(row.label, 10, 64); err == nil {
			numbers[row.label] = n
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		byNumber := 0
		if len(numbers) == len(names) {
			byNumber = cmp.Compare(numbers[a], numbers[b])
		}
		return cmp.Or(byNumber, strings.Compare(a, b))
	})
	return names
}
