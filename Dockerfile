# The emulator as an image. docs/how-to/ci.md says how to run it and what can be set.

# The digest of node:24-slim, as sha256:..., for a base that is the same at every build.
ARG BASE_DIGEST

# Only the database's binary differs between platforms, and a build makes a package with all of them. So the builder's own
# platform builds for any other, and nothing is emulated.
FROM --platform=$BUILDPLATFORM node:24-slim${BASE_DIGEST:+@$BASE_DIGEST} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# A registry or an authority of your own: docker build --secret id=npmrc,src=$HOME/.npmrc
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci
COPY . .
RUN node tools/build.mjs --package
ARG TARGETARCH
RUN set -eu; \
    program=/image/opt/payment-order-emulator; \
    mkdir -p "$program" /image/usr/local/bin /image/scenarios; \
    cp -R LICENSE package.json dist fixtures scenarios "$program"; \
    ln -s ../../../opt/payment-order-emulator/dist/cli.js /image/usr/local/bin/payment-order-emulator; \
    cd "$program/dist"; \
    case "$TARGETARCH" in amd64) binary=linux-x64.node ;; *) binary="linux-$TARGETARCH.node" ;; esac; \
    mv "prebuilds/$binary" .; rm prebuilds/* .build-stamp; mv "$binary" prebuilds; \
    chmod -R u=rwX,go=rX /image; \
    mkdir --mode=1777 /image/data

FROM node:24-slim${BASE_DIGEST:+@$BASE_DIGEST}
ARG BASE_DIGEST
LABEL org.opencontainers.image.title="payment-order-emulator" \
      org.opencontainers.image.description="A local stand-in for a payment order service." \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="docker.io/library/node:24-slim${BASE_DIGEST:+@$BASE_DIGEST}"
COPY --from=build /image/ /
# Service containers are configured by their environment alone, so the control API asks for a token only once it is
# given one. `container` tells where it runs, which not every engine does.
ENV EMULATOR_HOST=0.0.0.0 \
    EMULATOR_OPEN_CONTROL=true \
    EMULATOR_SCENARIOS=/scenarios \
    container=oci
# Whoever the program runs as can write here, and nowhere else.
VOLUME /data
WORKDIR /scenarios
EXPOSE 4600
# The user `node`, as a number: a cluster cannot tell from a name that it is not root.
USER 1000:1000
HEALTHCHECK --interval=3s --timeout=5s --start-period=30s CMD ["payment-order-emulator", "health"]
ENTRYPOINT ["payment-order-emulator"]
CMD ["serve"]
