package datasets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func TestTabbed(t *testing.T) {
	for _, test := range []struct {
		name   string
		t      Tabbed
		in     string
		labels string
		want   []Text
	}{
		{"two columns", Tabbed{}, "spam\tWin!\nham\tHi \"you\n", "ham spam", []Text{{"Win!", 1}, {"Hi \"you", 0}}},
		{"Windows lines and a mark", Tabbed{}, "\ufeffspam\tWin!\r\nham\tHi\r\r\n", "ham spam", []Text{{"Win!", 1}, {"Hi\r", 0}}},
		{"no last line feed", Tabbed{}, "a\tx\nb\t", "a b", []Text{{"x", 0}, {"", 1}}},
		{"text first", Tabbed{Text: 1}, "x\tb\ny\ta", "a b", []Text{{"x", 1}, {"y", 0}}},
		{"label second", Tabbed{Label: 2}, "x\tb\ny\ta", "a b", []Text{{"x", 1}, {"y", 0}}},
		{"columns and a header", Tabbed{Label: 4, Text: 2, Header: true}, "id\ttext\tx\tclass\n7\tgood\t\tp\n8\tbad\t\tn\n", "n p", []Text{{"good", 1}, {"bad", 0}}},
		{"label far", Tabbed{Label: 3}, "x\t-\tb\n", "b", []Text{{"x", 0}}},
		{"numbers", Tabbed{}, "10\ta\n9\tb\n-1\tc\n9\td\n", "-1 9 10", []Text{{"a", 2}, {"b", 1}, {"c", 0}, {"d", 1}}},
		{"numbers written twice", Tabbed{}, "1\ta\n01\tb\n", "01 1", []Text{{"a", 1}, {"b", 0}}},
		{"not all numbers", Tabbed{}, "10\ta\n9\tb\nx\tc\n", "10 9 x", []Text{{"a", 0}, {"b", 1}, {"c", 2}}},
		{"given labels", Tabbed{Labels: []string{"spam", "none", "ham"}}, "ham\tx\nspam\ty\n", "spam none ham", []Text{{"x", 2}, {"y", 0}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			texts, err := test.t.Read(iotest.OneByteReader(strings.NewReader(test.in)))
			if err != nil {
				t.Fatal(err)
			}
			same(t, "labels", texts.Labels(), strings.Fields(test.labels))
			same(t, "texts", collect(t, texts.InOrder()), test.want)
		})
	}
}

func TestTabbedErrors(t *testing.T) {
	for _, test := range []struct {
		t        Tabbed
		in, want string
	}{
		{Tabbed{}, "", "it has no texts"},
		{Tabbed{}, "\ufeff", "it has no texts"},
		{Tabbed{Header: true}, "a\tb\n", "it has no texts"},
		{Tabbed{}, "a b\n", "line 1: the number of columns is 1, want at least 2"},
		{Tabbed{Label: 3}, "a\tb\n", "line 1: the number of columns is 2, want at least 3"},
		{Tabbed{}, "a\tb\nc\td\te\n", "line 2: the number of columns is 3, in line 1 it is 2"},
		{Tabbed{}, "a\tb\n\nc\td\n", "line 2: the number of columns is 1, in line 1 it is 2"},
		{Tabbed{}, "a\tb\nc\t\xe9\n", "line 2: it is not UTF-8"},
		{Tabbed{Labels: []string{"a", "b"}, Header: true}, "label\ttext\na\tb\nc\td\n", `line 3: the label is "c", want one of ["a" "b"]`},
		{Tabbed{Labels: []string{}}, "a\tb\n", `line 1: the label is "a", want one of []`},
		{Tabbed{Labels: []string{"a", "a"}}, "a\tb\n", `two labels have the name "a"`},
		{Tabbed{Label: -1}, "a\tb\n", "the label is in column -1 and the text in column 0, want at least 1"},
		{Tabbed{Label: 2, Text: 2}, "a\tb\n", "the label and the text are both in column 2"},
	} {
		_, err := test.t.Read(strings.NewReader(test.in))
		contains(t, err, "datasets.Tabbed: "+test.want)
	}
	_, err := Tabbed{}.Read(nil)
	contains(t, err, "datasets.Tabbed: the reader is nil")
	broken := errors.New("broken")
	if _, err := (Tabbed{}).Read(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("%v, want the reader's error", err)
	}
}

func TestTabbedLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sms.tsv")
	_, err := Tabbed{}.Load(path)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want os.ErrNotExist", err)
	}
	os.WriteFile(path, []byte("ham\tHi\nspam\n"), 0o644)
	_, err = Tabbed{}.Load(path)
	contains(t, err, "datasets.Tabbed: "+path+": line 2: the number of columns is 1")
	os.WriteFile(path, []byte("ham\tHi\n"), 0o644)
	texts, err := Tabbed{}.Load(path)
	if err != nil || texts.Len() != 1 {
		t.Errorf("%v, want one text", err)
	}
}

// TestSMSSpam reads the SMS Spam Collection, whose counts are published.
func TestSMSSpam(t *testing.T) {
	texts, err := Tabbed{}.Load(dataFile(t, "sms-spam", "sms.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "labels", texts.Labels(), []string{"ham", "spam"})
	same(t, "counts", labelCounts(t, texts), []int{4827, 747})
	first := collect(t, texts.InOrder())[0]
	if first.Label != 0 || !strings.HasPrefix(first.Text, "Go until jurong point, crazy.. ") || !strings.HasSuffix(first.Text, " amore wat...") {
		t.Errorf("the first message is %+v", first)
	}
}

func FuzzTabbed(f *testing.F) {
	f.Add("\ufeffspam\tWin!\r\nham\tHi\n", uint8(0), uint8(0), true)
	f.Add("a\tb\tc\n1\t2\t3", uint8(3), uint8(1), false)
	f.Fuzz(func(t *testing.T, in string, label, text uint8, header bool) {
		texts, err := Tabbed{Label: int(label), Text: int(text), Header: header}.Read(strings.NewReader(in))
		if err != nil {
			return
		}
		lines := strings.Count(strings.TrimPrefix(in, "\ufeff")+"\n", "\n")
		if n := texts.Len(); n < 1 || n > lines {
			t.Errorf("%q: %d texts", in, n)
		}
		for _, x := range collect(t, texts.InOrder()) {
			if int(x.Label) >= len(texts.Labels()) || !utf8.ValidString(x.Text) || strings.ContainsAny(x.Text, "\t\n") {
				t.Errorf("%q: %+v", in, x)
			}
		}
	})
}
