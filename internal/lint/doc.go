// Package lint holds the house rules as a test: who may import whom, what must be documented and shown by an example, and what no file
// may contain. It is all tests. Each rule has a file, with its reason, which every failure prints, and with sources that must break
// the rule, so that one which finds nothing is known to look.
package lint
