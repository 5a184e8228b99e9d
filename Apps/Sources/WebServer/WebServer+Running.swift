public import Foundation

extension WebServer {
  /// Serves until the program is asked to end (Ctrl C, or a service manager), then stops in order.
  ///
  /// `ready` is told the address.
  public func run(ready: (URL) -> Void) async throws {
    let signals = Signals()
    let port = try start()
    if let url = URL(string: "http://\(addressForPeople):\(port)/") { ready(url) }
    await signals.wait()
    await stop()
  }
}

/// Says something at once, also where the output is no terminal.
public func announce(_ sentence: String) {
  FileHandle.standardOutput.write(Data((sentence + "\n").utf8))
}

/// The two ways in which a program is asked to end.
private final class Signals {
  private let stream: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  init() {
    // Whoever reads what the program prints may leave before it ends.
    signal(SIGPIPE, SIG_IGN)
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    self.stream = stream
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
  }

  func wait() async {
    for await _ in stream { return }
  }
}
