import CoreDataHTTP
public import Foundation

extension WebServer {
  /// Serves until the program is asked to end (Ctrl C, or a service manager), then stops in order.
  ///
  /// `ready` gets the address to open: the one that is bound, or the first name under which other machines may ask,
  /// with the key in it. If other machines can reach the server, the standard error says so. If the standard output is
  /// systemd's journal, the key stays out of it, and the next lines name the file that has it.
  public func run(ready: (URL) -> Void) async throws {
    let signals = EndSignals()
    let address = try listen()
    if !address.isLoopback {
      let warning = warning(host: address.hostInURLs, port: address.port)
      FileHandle.standardError.write(Data((warning + "\n").utf8))
    }
    let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"]
    let isInJournal = Journal.takes(STDOUT_FILENO, stream: stream)
    let base = base(address)
    if let url = URL(string: Doorkeeper.address(base, isInJournal ? nil : configuration.key)) {
      ready(url)
    }
    if isInJournal, let file = configuration.key?.file { tellKey(in: file, base) }
    await signals.wait()
    await stop()
  }
}

extension WebServer {
  private func base(_ address: ListeningAddress) -> String {
    let host =
      address.isLoopback
      ? address.hostInURLs
      : Guards.name(ofHost: configuration.allowedHosts.first ?? address.hostInURLs)
    return "http://\(host):\(address.port)/"
  }

  private func tellKey(in file: URL, _ base: String) {
    announce(
      "The key that lets a browser in is in \(file.path), and not in this journal, which others may read. "
        + "Open \(base)?access=… once in each browser, with the key in place of the dots."
    )
  }

  /// The warning on the standard error if other machines can reach the server.
  func warning(host: String, port: Int) -> String {
    let reader =
      configuration.key == nil ? "whoever can reach it" : "whoever has the address with the key"
    return "Warning: other machines can reach this program at \(host), port \(port). "
      + "Nothing on the way is encrypted, and \(reader) reads and changes everything."
  }
}

/// Says something at once, even if the output is not a terminal.
public func announce(_ sentence: String) {
  FileHandle.standardOutput.write(Data((sentence + "\n").utf8))
}
