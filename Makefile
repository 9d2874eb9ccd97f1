# Parallax: `make help` lists what can be made.

TARGET   := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
PARALLAX := $(TARGET)/release/parallax

.PHONY: help setup build demo test test-real bench clean
.DEFAULT_GOAL := help

help:
	@echo 'make setup      install what is missing, build Parallax and its guest libc (idempotent)'
	@echo 'make demo       set up, then run a small program in the VM'
	@echo 'make test       set up, then formatting, lints and all tests'
	@echo 'make test-real  set up, then build real projects through `parallax cc` and run them in the VM'
	@echo 'make bench      set up, then measure the VM against native code and LLVM'"'"'s interpreter'
	@echo 'make clean      remove build results (the cache in ~/.cache/parallax stays)'

setup: build
	@$(PARALLAX) doctor --mend

build:
	@scripts/setup.sh
	cargo build --release --workspace

demo: setup
	printf 'one fish two fish\nred fish blue fish\n' | $(PARALLAX) run examples/word_count.c --stdin /dev/stdin -- -n 2

# Lints use the release profile so that native libraries of dependencies are built only once.
test: setup
	cargo fmt --all --check
	cargo clippy --release --workspace --all-targets -- -D warnings
	cargo test --release --workspace

# The VM's file creation mask is 022.
test-real: setup
	PARALLAX='$(abspath $(PARALLAX))' scripts/build-real.sh
	umask 022; PARALLAX_BIN='$(abspath $(PARALLAX))' cargo test --release -p program-tests --test real
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo test --release -p program-tests --test real_replay -- --test-threads=2

bench: setup
	PARALLAX='$(abspath $(PARALLAX))' scripts/build-real.sh >/dev/null
	PARALLAX_BIN='$(abspath $(PARALLAX))' cargo run --release -p program-tests --bin bench

clean:
	cargo clean
