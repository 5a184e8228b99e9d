public import Foundation

extension WebServer {
  /// Serves until the program is asked to end (Ctrl C, or a service manager), then stops in order.
  ///
  /// `ready` is told the address to open: the one that is bound, or the first name under which other machines
  /// may ask, with the key in it. Where other machines can reach the server, the standard error says so.
  public func run(ready: (URL) -> Void) async throws {
    let signals = EndSignals()
    let address = try listen()
    if !address.isLoopback { warn(address) }
    if let url = URL(string: Doorkeeper.address(base(address), configuration.key)) { ready(url) }
    await signals.wait()
    await stop()
  }
}

extension WebServer {
  private func base(_ address: BoundAddress) -> String {
    let host =
      address.isLoopback
      ? address.hostInAddresses
      : Guards.name(ofHost: configuration.allowedHosts.first ?? address.hostInAddresses)
    return "http://\(host):\(address.port)/"
  }

  private func warn(_ address: BoundAddress) {
    let sentence =
      "Warning: other machines can reach this program at \(address.hostInAddresses), port \(address.port). "
      + "Nothing on the way is encrypted, and whoever has the address with the key reads and changes everything."
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
  }
}

/// Says something at once, also where the output is no terminal.
public func announce(_ sentence: String) {
  FileHandle.standardOutput.write(Data((sentence + "\n").utf8))
}
