# aiwc on Debian 12: the packages that scripts/package builds, in a Debian that has nothing else.
#
#   docker build -t aiwc .
#   docker run --rm -v "$PWD:/work" aiwc run --output . -- ./app
FROM debian:12 AS build
COPY . /source
RUN /source/scripts/package

FROM debian:12
COPY --from=build /source/build/package/packages /packages
# The packages for Python and StarPU are left out: what they need is larger than all else.
RUN rm -f /packages/python3-aiwc_*.deb /packages/libaiwc-starpu*.deb \
    && apt-get update \
    && apt-get install -y --no-install-recommends /packages/*.deb \
    && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["aiwc"]
CMD ["--help"]
