# The one script runner. Targets a person calls:
#
#   make run     build and serve on http://$(ADDR)
#   make test    everything: Go with -race, types, units, browser (installs what it needs)
#   make check   the quick part: vet, staticcheck, types, fast tests
#   make build   bin/drainlab, with the pages in it, and the exercises' programs beside it
#   make bench   the figures, a line each (ONLY=name for one part)
#   make fuzz    each parser's fuzz target for FUZZTIME
#   make generate  the generated files, which the tests compare

ADDR ?= 127.0.0.1:8080
FUZZTIME ?= 20s
STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Programs that a learner runs: every folder with a main.go below exercises/SLUG/,
# built together, which is quicker than one by one.
programs := $(patsubst exercises/%/exercise.yaml,bin/exercises/%/.built,$(wildcard exercises/*/exercise.yaml))
go_sources := $(shell find server exercises lessons web -name node_modules -prune -o \( -name '*.go' -o -name '*.html' -o -name '*.md' -o -name '*.yaml' \) -print)
web_sources := $(shell find web -name node_modules -prune -o -name dist -prune -o -name test -prune -o \( -name '*.ts' -o -name '*.css' -o -name '*.mjs' -o -name '*.svg' \) -print) web/package-lock.json

.PHONY: run build test check bench fuzz generate types unit go-test browser-test machine-test setup clean

run: build
	bin/drainlab serve -addr $(ADDR)

build: bin/drainlab $(programs)

# npm ci writes into node_modules; the stamp is ours, so that it runs only
# when the lock file changes.
web/node_modules/.stamp: web/package-lock.json
	cd web && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	touch $@

web/dist/manifest.json: web/node_modules/.stamp $(web_sources)
	cd web && node build.mjs

bin/drainlab: web/dist/manifest.json go.mod go.sum $(go_sources)
	go build -trimpath -o $@ ./server

# With -trimpath a panic shown to a learner names the file, and no machine.
.SECONDEXPANSION:
bin/exercises/%/.built: $$(wildcard exercises/$$*/*/main.go) go.mod go.sum
	@mkdir -p $(@D)
	go build -trimpath -o $(@D)/ ./exercises/$*/...
	@touch $@

types: web/node_modules/.stamp
	cd web && npx --no-install tsc --noEmit -p .

unit: web/node_modules/.stamp
	cd web && node test/unit.mjs

check: web/dist/manifest.json types unit
	go vet ./...
	$(STATICCHECK) ./...
	go test -short ./...

# What tests need beside Go and Node. Says how when it may not install.
setup:
	@missing=""; \
	command -v chromium >/dev/null || missing="$$missing chromium"; \
	test -x /usr/sbin/rabbitmq-server || missing="$$missing rabbitmq-server"; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; \
	  else \
	    echo "make test needs:$$missing. Install with: sudo apt-get install$$missing" >&2; exit 1; \
	  fi; \
	fi

test: setup build types unit
	go vet ./...
	$(STATICCHECK) ./...
	go run ./server/internal/rabbit -- $(MAKE) go-test browser-test
	$(MAKE) machine-test

# AMQP_URL is set by the line above: the same scenarios run on RabbitMQ too.
go-test:
	go test -race -timeout 12m ./...

# The simulated machine: exercises by seed, small programs against Linux, a
# browser's Worker. One file at a time, since they share what they build; in a
# folder that the go command leaves out, as what is built has Go files in it.
machine-test: web/node_modules/.stamp
	cd web && DRAINLAB_WASM_CACHE=$(CURDIR)/bin/_wasm node --test --test-concurrency=1 --test-reporter=spec test/machine/*.test.mjs

browser-test: build
	cd web && npx --no-install playwright test

bench: build
	go run ./server/internal/bench -only "$(ONLY)"

fuzz:
	@for p in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
	  done; \
	done

generate: web/node_modules/.stamp
	go generate ./...

clean:
	rm -rf bin web/dist
