import Foundation

// MARK: - An image, and a workflow

extension AppTemplate {
  /// Debian's packages that the program is built with, and those that it runs with.
  private var libraries: (built: String, run: String) {
    isWeb
      ? (
        "libsqlite3-dev zlib1g-dev libmicrohttpd-dev libsodium-dev",
        "libsqlite3-0 zlib1g libmicrohttpd12 libsodium23"
      )
      : ("libsqlite3-dev zlib1g-dev", "libsqlite3-0 zlib1g")
  }

  var dockerfile: String {
    let tag = name.lowercased()
    let frame = isWeb ? "-p 127.0.0.1:8090:8090 " : ""
    let program = isWeb ? " --host 0.0.0.0 --allow-host localhost" : " add 'First note'"
    return """
      # An image with the program, without the compiler:
      #
      #   docker build \(contextArgument)-t \(tag) .
      #   docker run --rm \(frame)-v \(tag):/data \(tag)\(program)
      FROM swift:6.3.1-bookworm AS build
      RUN apt-get update -qq \\
        && apt-get install -y -qq --no-install-recommends pkg-config \(libraries.built)
      WORKDIR /src/\(name)
      \(frameworkCopy)COPY . .
      RUN swift build -c release --product \(name) --static-swift-stdlib \\
        && mkdir /program \\
        && cp .build/release/\(name) /program/ \\
        && find .build/release/ -maxdepth 1 -name '*.resources' -exec cp -R {} /program/ \\; \\
        && strip /program/\(name)

      FROM debian:bookworm-slim
      RUN apt-get update -qq \\
        && apt-get install -y -qq --no-install-recommends tzdata \(libraries.run) \\
        && rm -rf /var/lib/apt/lists/* \\
        && useradd --system --uid 999 --create-home --home-dir /data program
      COPY --from=build /program /program
      USER program
      WORKDIR /data
      VOLUME /data
      \(isWeb ? healthCheck : "")ENTRYPOINT ["/program/\(name)"]

      """
  }

  /// The argument of `docker build` that names the folder of the framework.
  private var contextArgument: String {
    guard case .folder(_, let path) = package else { return "" }
    return "--build-context open-core-data='\(path)' "
  }

  /// The framework at the place that the manifest names, if it is not fetched.
  private var frameworkCopy: String {
    guard case .folder(_, let path) = package else { return "" }
    let place =
      path.hasPrefix("/")
      ? path : URL(filePath: "/src/\(name)/").appending(path: path).standardizedFileURL.path
    return "COPY --from=open-core-data [\".\", \"\(place)/\"]\n"
  }

  private var healthCheck: String {
    """
    HEALTHCHECK CMD ["bash", "-c", "exec 3<> /dev/tcp/127.0.0.1/8090"]

    """
  }

  /// Only for a package that every machine can fetch.
  var workflow: String {
    """
    name: test

    on: [push, pull_request]

    jobs:
      test:
        runs-on: ubuntu-latest
        container: swift:6.3.1-bookworm
        steps:
          - uses: actions/checkout@v4
          - run: |
              apt-get update -qq
              apt-get install -y -qq --no-install-recommends pkg-config \(libraries.built)
          - run: swift test

    """
  }
}
