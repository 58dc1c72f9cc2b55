# Sourced by the peers' scripts. It sets the environment that is fastest for libraries built on OpenMP, and pins a single thread:
#   run PROGRAM THREADS ARGUMENTS...      runs a program so
#   build SOURCE FLAGS...                 compiles a C++ peer, unless that was done before, and prints the program's path
# With several threads OpenBLAS must be the one built for OpenMP (Debian: libopenblas0-openmp): its own threads do not wait actively.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${XDG_CACHE_HOME:-$HOME/.cache}/paddle-bench
mkdir -p "$out"

build() {
	local source=$1 program=$out/$1
	shift
	if [ ! -e "$program" ] || [ -n "$(find "$here" -maxdepth 1 -newer "$program" -name '*.[ch]*' -o -newer "$program" -name '*.sh')" ]; then
		g++ -O2 -std=c++17 "$here/$source.cpp" -o "$program" "$@"
	fi
	echo "$program"
}

run() {
	local program=$1
	shift
	export OMP_NUM_THREADS=$1 MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592 MALLOC_TOP_PAD_=268435456
	if [ "$1" = 1 ]; then
		taskset -c "${CORE:-0}" "$program" "$@"
		return
	fi
	local openmp=/usr/lib/x86_64-linux-gnu/openblas-openmp
	[ -d $openmp ] || echo "without libopenblas0-openmp the peer is slower than it could be with several threads" >&2
	OMP_WAIT_POLICY=active OMP_PROC_BIND=true LD_LIBRARY_PATH=$openmp "$program" "$@"
}
