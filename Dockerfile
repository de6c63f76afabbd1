# The program `sitemap` alone: `docker build -t sitemap .`, then `docker run --rm -v "$PWD:/data" sitemap check .`
FROM rust:1-alpine AS build
# A C compiler, for the cryptography of TLS.
RUN apk add --no-cache build-base
WORKDIR /source
COPY . .
RUN cargo build --locked --release -p quick-sitemap-cli && cp target/release/sitemap /sitemap && mkdir /empty

FROM scratch
COPY --from=build /sitemap /sitemap
# `diff`, `edit` and `crawl` have temporary files.
COPY --from=build --chmod=1777 /empty /tmp
WORKDIR /data
USER 65534:65534
ENTRYPOINT ["/sitemap"]
