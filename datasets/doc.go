// Package datasets reads training data: sets held in memory, readers over streams of records, texts and their vocabularies, and public
// sets such as MNIST and IMDb.
//
// # Readers
//
// A reader of T is an iter.Seq2[T, error]: each range over it is one pass over the records, and a second range is a second pass
// wherever its source can be read again. An error is the last thing that a reader yields; the value beside it is zero.
// Functions take readers and give readers, and nothing runs before the first range:
//
//	records := datasets.Shuffle(files, random)                     // every file once, in the order of (seed, epoch)
//	samples := datasets.Map(records, decode, datasets.MapOptions{Workers: 4, Random: random})
//	batches := datasets.Batch(samples, datasets.BatchOptions{Size: 64})
//	for batch, err := range datasets.Prefetch(batches, 2) { … }
//
// A wrong argument is not a panic: the reader yields it as its only error.
//
// # Epochs and resuming
//
// Whatever is drawn at random depends on a [Random], a seed and an epoch, and on the record's index; never on the worker that did the
// work, on time or on what was drawn before. So a training set is a function from the epoch to one pass, [Epochs]:
//
//	train := func(epoch int) iter.Seq2[op.Feeds, error] {
//		random := datasets.Random{Seed: 7, Epoch: epoch}
//		…
//	}
//
// Every epoch differs, any epoch can be repeated, and the position of a training run is two numbers: the epoch and the batches taken.
// To resume, range over Skip(train(epoch), taken). [Replay] makes Epochs of a reader that is the same in every epoch.
//
// # Sets in memory
//
// A [Set] holds each named input as one array whose first axis is the record. [Set.Shuffled] gathers batches by index into memory
// that it uses again, and [Set.InOrder] gives ready views of the arrays, so that neither allocates in a step.
// [MNIST] loads into a Set; [Blobs] and [Digits] draw Sets for tests and examples that must run with no data.
//
// # Texts
//
// [Texts] is a set of labelled texts: one of [IMDb], [MovieReviews] and [SentencePolarity], or one's own from lines with tabs ([Tabbed]),
// folders of files ([TextFolders]) or memory ([NewTexts]). A [Tokenizer] cuts texts into words and marks, a [Vocabulary] numbers them
// and is saved beside the model, and a [Corpus] is a whole set as numbers:
//
//	train, test, err := datasets.IMDb{}.Load(ctx)
//	train, valid, err := train.Split(0.9, seed)
//	words, err := datasets.NewVocabulary(train.Strings(), datasets.VocabularyOptions{
//		Tokenizer: datasets.Tokenizer{DropBreaks: true}, MaxSize: 20000, Reserved: []string{"<pad>"},
//	})
//	corpus, err := train.Encode(words, datasets.EncodeOptions{}) // corpus.Tokens(i), corpus.Label(i)
//
// # Goroutines, cancelling and memory
//
// Only [Map] with workers and [Prefetch] start goroutines. They end with the range that started them, on its last record, on an
// error, on an early break and on a panic in its body: the range statement returns once they are gone. So no function here needs
// a context for itself. [WithContext] ends a pass between two records once a context is done; a source, or a function given to Map, that
// may block for long takes the same context itself, for a pass can wait for it. A panic in a worker becomes a [PanicError].
// Map with workers reads at most 2·Workers+1 records ahead, Prefetch(r, n) at most n, ShuffleWindow its window; Cache keeps all.
//
// A record belongs to whoever receives it, unless a doc comment says that its memory is used again (BatchOptions.Live) or shared
// (Set.InOrder, Cache).
package datasets
