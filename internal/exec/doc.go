// Package exec compiles graphs into programs and runs them.
//
// Compiling (Compile) orders the applications, decides which values share memory, and finds for how long each block of memory is
// needed; all of that holds for every size of the symbolic dimensions. A run binds the symbols to the shapes of what it is fed,
// places the blocks in one arena if the sizes are new, and executes. Tables are made once and rewritten in place, so a run
// allocates nothing once the arena has grown to the largest sizes.
//
// A program that writes variables locks them for itself; programs that only read them share. Each run has a workspace (arena, tables,
// kernels' scratch), so one program may run on many goroutines at once.
package exec
