import CoreDataHTTP
import CoreDataSyncCore
import CoreDataSyncHTTP
import CoreDataSyncServer
import Foundation

// MARK: - Serving

extension ServeCommand {
  static func now() -> UInt64 { UInt64(max(Date().timeIntervalSince1970, 0) * 1000) }

  /// Lets the program go on if the reader of its output has gone away.
  static func outliveReaders() {
    signal(SIGPIPE, SIG_IGN)
  }

  func service(in storage: ServerStorage) -> SyncService {
    let era = UInt64.random(in: 1...(.max))
    return SyncService(
      storage,
      era: era,
      zoneLimit: limit,
      report: CoreDataCommand.complain,
      clock: Self.now
    )
  }

  /// Prints an address with a new token, or writes it to the file for it.
  func handOut(
    _ role: TokenRole,
    in book: TokenBook,
    _ server: String,
    advice: String? = nil,
    writing write: (SyncAddress, Output) throws -> Void
  ) throws {
    try handOut(role, of: zone, in: book, "The address with the token, and its pairing code, are") {
      token,
      output in
      let address = SyncAddress(server: server, zone: zone, token: token)
      guard let output else { return "\(address)\n\(address.pairingCode)\n" }
      try write(address, output)
      if let advice { try output.line(advice) }
      return ""
    }
    guard tokenFile != nil, let advice else { return }
    let output = Output(endsWithReader: false)
    try output.line(advice)
    try output.flush()
  }

  /// Prints a new token of the server, or writes it to the file for it.
  func handOutServerToken(in book: TokenBook) throws {
    try handOut(.server, of: AccessToken.everyZone, in: book, "The token is") { token, output in
      try output?.line(token)
      return "\(token)\n"
    }
  }

  /// Makes a token, and hands over its text, or writes it to the file for it.
  ///
  /// If that fails, the token is not kept, because nobody would have it. `write` prints, or returns the text for the file.
  private func handOut(
    _ role: TokenRole,
    of zone: String,
    in book: TokenBook,
    _ contents: String,
    writing write: (String, Output?) throws -> String
  ) throws {
    let output = Output(endsWithReader: false)
    do {
      try book.make(zone: zone, role, label: label, at: Self.now()) { token in
        if let tokenFile { return try tokenFile.write(try write(token, nil)) }
        _ = try write(token, output)
        try output.flush()
      }
    } catch let refusal as ServiceRefusal {
      throw Refusal(refusal.sentence)
    } catch let refusal as Refusal {
      let remedy =
        tokenFile == nil
        ? "Give the command an output that can be written" : "Name another file with --token-file"
      throw Refusal(
        """
        A new token cannot be handed out, so no token was made: \(refusal.description). \(remedy), and run it again.
        """
      )
    }
    guard let tokenFile else { return }
    try output.line("\(contents) in \(tokenFile.path).")
    try output.flush()
  }

  func serve() throws {
    Self.outliveReaders()
    HTTPServer.returnMemory()
    // Before there are threads, which would take the signals otherwise.
    var signals = Self.endSignals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let (storage, hold) = try place.opened(
      salvages: salvages,
      report: CoreDataCommand.complain
    )
    defer { withExtendedLifetime(hold) {} }
    let service = service(in: storage)
    let server: HTTPServer
    do {
      server = try HTTPServer(service, host: host, port: port, connections: connections)
    } catch let refusal as ServiceRefusal {
      throw Refusal(refusal.sentence)
    }
    defer {
      server.stop()
      settle(storage)
    }
    let output = Output(endsWithReader: false)
    try output.line("Serving \(place.name) at \(server.address.text). Stop with Ctrl-C.")
    try output.flush()
    if try service.tokens.all(of: nil).allSatisfy({ $0.role == .server }) {
      try handOutFirstAddress(of: server, service.tokens)
    }
    if !server.address.isLoopback {
      try output.line(
        "Others can reach this server, and what they send is not encrypted: put a proxy with TLS before it."
      )
    }
    try output.flush()
    Self.waitForEnd(tidying: service)
  }

  /// Moves what was written into the one file that people copy as a backup.
  ///
  /// If that fails, nothing is lost: it is in the log beside the file.
  private func settle(_ storage: ServerStorage) {
    do {
      try storage.zones.settle()
    } catch {
      CoreDataCommand.complain("What was written last stays in the log beside the file: \(error)")
    }
  }

  private func handOutFirstAddress(of server: HTTPServer, _ book: TokenBook) throws {
    let name = publicName ?? .listening(server.address)
    try handOut(.admin, in: book, try name.text, advice: name.advice) { address, output in
      try output.line("Paste this address into the programs that are to follow each other:")
      try output.line("  \(address)")
      try output.line("Or this pairing code, which says the same and notices a wrong letter:")
      try output.line("  \(address.pairingCode)")
    }
  }

  private static var endSignals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    return signals
  }

  /// Waits for Ctrl-C, or for the system to end the program; tidies up after an hour, and then once a day.
  private static func waitForEnd(tidying service: SyncService) {
    var signals = endSignals
    var pause = timespec(tv_sec: 3600, tv_nsec: 0)
    while sigtimedwait(&signals, nil, &pause) < 0 {
      // Else the program was stopped for a while, and goes on.
      guard errno == EAGAIN else { continue }
      tidyUp(service)
      pause.tv_sec = 24 * 3600
    }
  }

  private static func tidyUp(_ service: SyncService) {
    do {
      try service.tidyUp()
    } catch {
      // Devices are answered all the same, and the next day it is tried again.
      CoreDataCommand.complain("What the server keeps cannot be tidied up: \(error)")
    }
  }
}
