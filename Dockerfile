# aiwc on Debian 12: the packages that scripts/package builds, in a Debian that has nothing else.
#
#   docker build -t aiwc .
#   docker run --rm -v "$PWD:/work" aiwc run --output . -- ./app
FROM debian:12 AS build
COPY . /source
RUN /source/scripts/package

FROM debian:12
COPY --from=build /source/build/package/packages /packages
# The Python package is left out: what it needs is larger than all else.
RUN rm /packages/python3-aiwc_*.deb \
    && apt-get update \
    && apt-get install -y --no-install-recommends /packages/*.deb \
    && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["aiwc"]
CMD ["--help"]
