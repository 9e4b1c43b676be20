# Not tested yet: this was written where there was no Docker engine.
#
#   docker build -t drainlab . && docker run --rm -p 127.0.0.1:8080:8080 drainlab

FROM node:20-bookworm-slim AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund --ignore-scripts
COPY web/ ./
RUN node build.mjs

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=web /src/web/dist/ web/dist/
ENV CGO_ENABLED=0
RUN go build -trimpath -o bin/drainlab ./server
# The programs that learners run lie beside the server, as make build puts them.
RUN for main in exercises/*/*/main.go; do \
      program=$(dirname "$main"); \
      case "$program" in exercises/event/*|exercises/scenario/*) continue ;; esac; \
      go build -trimpath -o "bin/$program" "./$program" || exit 1; \
    done

FROM debian:12-slim
COPY --from=build /src/bin/ /opt/drainlab/
RUN useradd --system --no-create-home drainlab
USER drainlab
EXPOSE 8080
# Exec form: the server is process 1 and gets TERM itself, with no shell before
# it. It stops within 10 s; give it somewhat more (docker stop -t 15).
# Inside the container it must listen on every address: publish the port on
# loopback only, as above, unless others are to come.
ENTRYPOINT ["/opt/drainlab/drainlab", "serve", "-addr", "0.0.0.0:8080"]
