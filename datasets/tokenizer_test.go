package datasets

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestTokenizer(t *testing.T) {
	for _, test := range []struct {
		name string
		t    Tokenizer
		text string
		want string // the tokens, with a | between them
	}{
		{"words", Tokenizer{}, "The cat  sat\ton\r\nthe mat", "the|cat|sat|on|the|mat"},
		{"nothing", Tokenizer{}, " \n\t\u00a0\u2003\u200b\x00\x7f\u0085", ""},
		{"apostrophes", Tokenizer{}, "Don't 'quote' rock'n'roll dogs' a''b l’été ' x'.", "don't|'|quote|'|rock'n'roll|dogs|'|a|'|'|b|l’été|'|x|'|."},
		{"marks", Tokenizer{}, "well-known, 3.14 (50%)... $5_x", "well|-|known|,|3|.|14|(|50|%|)|.|.|.|$|5|_|x"},
		{"case kept", Tokenizer{KeepCase: true}, "Zoë ÄRGER ǅ", "Zoë|ÄRGER|ǅ"},
		{"lower case", Tokenizer{}, "ZOË ÄRGER ΛΌΓΟΣ ЖУК Ⅷ Ⓐ ǅ", "zoë|ärger|λόγοσ|жук|ⅷ|ⓐ|ǆ"},
		{"punctuation dropped", Tokenizer{DropPunctuation: true}, "Don't, -- stop! 'til 50%… 😀 \xff", "don't|stop|til|50"},
		{"digits of other scripts", Tokenizer{}, "٣٤ x² ½", "٣٤|x²|½"},
		{"combining marks", Tokenizer{}, "e\u0301te\u0301 =\u0338 \u0301x नमस्ते", "e\u0301te\u0301|=\u0338|\u0301x|नमस्ते"},
		{"Chinese and Japanese", Tokenizer{}, "我爱Go语言。カタカナー々ｶﾞ", "我|爱|go|语|言|。|カ|タ|カ|ナ|ー|々|ｶ|ﾞ"},
		{"kana with a combining mark", Tokenizer{}, "か\u3099x 漢\ufe00字", "か\u3099|x|漢\ufe00|字"},
		{"Korean, Thai", Tokenizer{}, "한국어 문장. ภาษาไทย", "한국어|문장|.|ภาษาไทย"},
		{"joiners and soft hyphens", Tokenizer{}, "نمی\u200cخواهم co\u00adop \u200eabc\u200f \ufeffx\u200d", "نمی\u200cخواهم|co\u00adop|abc|x"},
		{"emoji", Tokenizer{}, "ok👍🏽👩\u200d💻❤\ufe0f!😀\u200dx", "ok|👍🏽|👩\u200d💻|❤\ufe0f|!|😀|x"},
		{"not UTF-8", Tokenizer{}, "caf\xe9 \xff\xfe x\xc3", "caf|\ufffd|\ufffd|\ufffd|x|\ufffd"},
		{"breaks kept", Tokenizer{}, "a<br />b", "a|<|br|/|>|b"},
		{"breaks dropped", Tokenizer{DropBreaks: true}, "a<br />b<BR>c<br/>d<Br\n\t/>e", "a|b|c|d|e"},
		{"what is no break", Tokenizer{DropBreaks: true}, "<b> <br <brx> <br / > <br", "<|b|>|<|br|<|brx|>|<|br|/|>|<|br"},
		{"all options", Tokenizer{KeepCase: true, DropPunctuation: true, DropBreaks: true}, "<br />A.B<br", "A|B|br"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := slices.Collect(test.t.Tokens(test.text))
			if joined := strings.Join(got, "|"); joined != test.want {
				t.Errorf("%q:\ngot  %q\nwant %q", test.text, joined, test.want)
			}
			same(t, "Append", test.t.Append([]string{"before"}, test.text), append([]string{"before"}, got...))
		})
	}
}

// TestTokenizerAgainstExpression compares with a regular expression that has the rules for texts without ideographs, format characters,
// emoji colours and damage.
func TestTokenizerAgainstExpression(t *testing.T) {
	token := regexp.MustCompile(`[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*|[^\p{L}\p{N}\p{M}\p{Z}\p{Cc}]\p{M}*`)
	alphabet := []rune("abzABZ019'’'. ,-_<>/\n\u00a0\u2028éÉßÑñ\u0301\u0308жЖשת۳Ⅷ²€Ⓐ\ue000")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 8000 {
		text := make([]rune, rng.IntN(24))
		for i := range text {
			text[i] = alphabet[rng.IntN(len(alphabet))]
		}
		want := token.FindAllString(string(text), -1)
		for i, w := range want {
			want[i] = strings.Map(unicode.ToLower, w)
		}
		got := slices.Collect(Tokenizer{}.Tokens(string(text)))
		if !slices.Equal(got, want) {
			t.Fatalf("%q:\ngot  %q\nwant %q", string(text), got, want)
		}
	}
}

// TestClassOfLowerCase: a letter in lower case is what it was in upper case and stays so, or tokens would not be cut again as they are.
func TestClassOfLowerCase(t *testing.T) {
	for r := range rune(0xe0200) { // in between are Chinese characters and what is not assigned
		if !utf8.ValidRune(r) || r > 0x20100 && r < 0xe0000 {
			continue
		}
		lower := unicode.ToLower(r)
		c, size := look(string(r))
		if size != utf8.RuneLen(r) || c&folds != 0 != (lower != r) {
			t.Fatalf("%U: size %d, class %#x, lower case %U", r, size, c, lower)
		}
		if after, _ := look(string(lower)); after != c&^folds {
			t.Fatalf("%U has class %#x, in lower case %U it has %#x", r, c, lower, after)
		}
	}
}

func TestTokensCanBeLeft(t *testing.T) {
	n := 0
	for range (Tokenizer{}).Tokens("a b c") {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d tokens", n)
	}
}

// TestTokenizerAllocates: nothing for tokens that are as they stand, one string for each that is lowered.
func TestTokenizerAllocates(t *testing.T) {
	for text, want := range map[string]float64{
		strings.Repeat("plain words, and été. ", 50):                0,
		"One Two three " + strings.Repeat("four, ", 20) + "ÉTÉ":     3,
		strings.Repeat("x", 1000) + " " + strings.Repeat("y", 1000): 0,
	} {
		tokens := make([]string, 0, 1000)
		got := testing.AllocsPerRun(20, func() { tokens = Tokenizer{}.Append(tokens[:0], text) })
		if got > want {
			t.Errorf("%.20q…: %v allocations, want %v", text, got, want)
		}
	}
}

func FuzzTokenizer(f *testing.F) {
	for _, text := range []string{"Don't stop, Zoë!", "我爱Go语言", "a<br />b<BR>", "e\u0301\u200d\u0301 👩\u200d💻👍🏽", "\xff\u0301\xe9t\xc3\xa9'", "'a'b'' ’", "\u200d'x"} {
		for bits := range uint8(8) {
			f.Add(text, bits)
		}
	}
	f.Fuzz(func(t *testing.T, text string, bits uint8) {
		tok := Tokenizer{KeepCase: bits&1 != 0, DropPunctuation: bits&2 != 0, DropBreaks: bits&4 != 0}
		tokens := slices.Collect(tok.Tokens(text))
		for _, token := range tokens {
			if token == "" || !utf8.ValidString(token) {
				t.Fatalf("%q: token %q", text, token)
			}
			if strings.ContainsFunc(token, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
				t.Fatalf("%q: token %q has white space", text, token)
			}
			if !tok.KeepCase && strings.ContainsFunc(token, func(r rune) bool { return unicode.ToLower(r) != r }) {
				t.Fatalf("%q: token %q is not in lower case", text, token)
			}
		}
		if again := tok.Append(nil, strings.Join(tokens, " ")); !slices.Equal(again, tokens) {
			t.Fatalf("%q: tokens %q, and of these %q", text, tokens, again)
		}
		v, err := VocabularyOfTokens(slices.Values(tokens), VocabularyOptions{Tokenizer: tok})
		if err != nil {
			t.Fatal(err)
		}
		ids := v.Encode(text)
		if len(ids) != len(tokens) {
			t.Fatalf("%q: %d ids of %d tokens", text, len(ids), len(tokens))
		}
		for i, id := range ids {
			if v.Token(id) != tokens[i] {
				t.Fatalf("%q: token %d is %q, its id stands for %q", text, i, tokens[i], v.Token(id))
			}
		}
	})
}

func BenchmarkTokenizer(b *testing.B) {
	text := strings.Repeat("It's a well-made film, and I didn't see the END coming; <br /><br />8/10 from me (été). ", 100)
	tok := Tokenizer{DropBreaks: true}
	v, err := NewVocabulary(FromSlice([]string{text}), VocabularyOptions{Tokenizer: tok})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("tokens", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for range tok.Tokens(text) {
			}
		}
	})
	b.Run("ids", func(b *testing.B) {
		var ids []int32
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			ids = v.Append(ids[:0], text)
		}
	})
}
