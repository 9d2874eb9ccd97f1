# Parallax: `make help` lists what can be made.

TARGET   := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
PARALLAX := $(TARGET)/release/parallax

PREFIX   := /usr/local

.PHONY: help setup build install demo test test-real real-pairs refactorings first-use bench bench-check coverage-table clean
.DEFAULT_GOAL := help

help:
	@echo 'make setup      install what is missing, build Parallax and its guest libc (idempotent)'
	@echo 'make install    build, and install executables, man pages and completions below PREFIX (/usr/local)'
	@echo 'make demo       set up, then compare two versions of a small program'
	@echo 'make test       set up, then formatting, lints and all tests'
	@echo 'make test-real  set up, then run real projects in the VM, fuzz the subjects, and measure a real history'
	@echo 'make real-pairs set up, then check version pairs of real C programs (about an hour the first time)'
	@echo 'make refactorings  set up, then prove refactorings of real C functions equal (about 10 minutes)'
	@echo 'make first-use  set up, then check a hundred edits of ordinary programs as a new user would (about an hour)'
	@echo 'make bench      set up, then measure the VM, explorations, slices, proofs, and searches for differences'
	@echo 'make bench-check  set up, then search for a difference in every version of the subjects (hours)'
	@echo 'make coverage-table  set up, then measure natively what tests of ten coreutils programs execute (about 12 minutes)'
	@echo 'make clean      remove build results (the cache in ~/.cache/parallax stays)'

setup: build
	@$(PARALLAX) doctor --mend

build:
	@scripts/setup.sh
	cargo build --release --workspace

# DESTDIR is put before PREFIX, as packages need it.
install: build
	scripts/install.sh '$(TARGET)/release' '$(DESTDIR)$(PREFIX)'

demo: setup
	$(PARALLAX) check examples/discount/old.c examples/discount/new.c --sym-args 1 2 2 || test $$? -eq 1

# Lints use the release profile so that native libraries of dependencies are built only once.
test: setup
	@scripts/setup.sh tests
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets -- -D warnings
	cargo test --release --workspace

# The VM's file creation mask is 022.
test-real: setup
	PARALLAX='$(abspath $(PARALLAX))' scripts/build-real.sh
	PARALLAX='$(abspath $(PARALLAX))' scripts/check-destructive.sh
	cargo test --release -p version-diff --test real_edits -- --nocapture --test-threads=1
	umask 022; PARALLAX_BIN='$(abspath $(PARALLAX))' cargo test --release -p program-tests --test real
	cargo run --release -p program-tests --bin subjects -- fuzz 2000
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo test --release -p program-tests --test history
	cargo test --release -p cli --test real_graphs -- --nocapture
	cargo test --release -p cli --test check -- function:: --ignored --nocapture
	FUNCTION_TESTS=all cargo test --release -p cli --test check -- function_tests:: --nocapture
	REFACTORINGS=all PARALLAX_BIN='$(abspath $(PARALLAX))' cargo test --release -p program-tests --test corpus -- refactorings:: --test-threads=2
	OBSERVED=all cargo test --release -p cli --test changes -- observed_dependences:: --nocapture
	PAIRS=60 cargo test --release -p program-tests --test brute_force -- partitions_hold::
	UNITS=40 cargo test --release -p program-tests --test paired -- units_hold
	SEQUENCES=40 cargo test --release -p program-tests --test paired -- sequences_hold
	ENCODED=all cargo test --release -p program-tests --test paired -- encoded_messages
	VERSION_LINES=40 cargo test --release -p program-tests --test brute_force -- versions_hold::
	PAIRS=1000 cargo test --release -p program-tests --test brute_force -- pruning_is_safe::
	GENERATED_SIZE=16 cargo test --release -p program-tests --test brute_force -- no_path_lost_generated::
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo test --release -p program-tests --test real_replay -- --test-threads=2

real-pairs: setup
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo run --release -p program-tests --bin real_pairs

refactorings: setup
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo run --release -p program-tests --bin refactorings

first-use: setup
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo run --release -p program-tests --bin first_use

bench: setup
	PARALLAX='$(abspath $(PARALLAX))' scripts/build-real.sh >/dev/null
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo run --release -p program-tests --bin bench
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo run --release -p program-tests --bin bench_explore
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo run --release -p program-tests --bin bench_numbers
	PARALLAX='$(abspath $(PARALLAX))' scripts/bench-graphs.sh
	cargo run --release -p program-tests --bin bench_slices -- --short
	cargo run --release -p program-tests --bin bench_partitions -- --short --timeout 3
	cargo run --release -p program-tests --bin bench_check -- $(STRATEGIES) --limit 8 --timeout 5s
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo run --release -p program-tests --bin bench_decision
	cargo run --release -p program-tests --bin bench_sandbox
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo run --release -p program-tests --bin bench_start

STRATEGIES := --strategy random --strategy dart --strategy express --strategy auto

# What was measured before is kept in the file and not measured again.
bench-check: setup
	cargo run --release -p program-tests --bin bench_check -- $(STRATEGIES) -j 2 --out $(TARGET)/bench-check.jsonl
	cargo run --release -p program-tests --bin bench_check -- $(STRATEGIES) -j 2 --equivalent --out $(TARGET)/bench-check.jsonl

coverage-table: setup
	PARALLAX='$(abspath $(PARALLAX))' scripts/build-real.sh >/dev/null
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo run --release -p program-tests --bin coverage_table

clean:
	cargo clean
