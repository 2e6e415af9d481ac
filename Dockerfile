# aiwc on Debian 12, for every Linux: docker build -t aiwc .
# scripts/aiwc-container runs it, and builds it first where it is missing.
# --build-arg PACKAGES="cmake libpng-dev" adds packages of Debian that your programs need.
FROM docker.io/library/debian:12-slim AS build
COPY . /source
RUN /source/scripts/package image

FROM docker.io/library/debian:12-slim
ARG PACKAGES=
LABEL packages=$PACKAGES
COPY --from=build /source/build/package/packages/aiwc*.deb /opt/aiwc/packages/
COPY scripts/aiwc-container scripts/packaging/install-image /opt/aiwc/
COPY scripts/action /opt/aiwc/action
RUN /opt/aiwc/install-image $PACKAGES
# make calls these by default gcc and g++. In the image, aiwc-container starts no further container.
ENV CC=cc CXX=c++ AIWC_IMAGE=none PATH=/opt/aiwc:$PATH
WORKDIR /work
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["aiwc", "--help"]
