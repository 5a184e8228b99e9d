import Foundation
import Testing

/// The program itself, as a user runs it.
final class ServerProcess {
  let port: UInt16
  /// What the printed address lets a browser have.
  let cookie: String
  /// The address as it was printed.
  let printed: String
  private let process = Process()

  /// Starts `slipbox`, which stands beside the tests, and waits until it listens.
  init(store: URL) throws {
    let tests = try #require(Bundle.main.executableURL)
    process.executableURL = tests.deletingLastPathComponent().appending(component: "slipbox")
    process.arguments = ["--port", "0", "--store", store.path, "--no-samples"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = ""
    while !line.contains("\n") {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { break }
      line += String(decoding: piece, as: UTF8.self)
    }
    let number = line.split(separator: ":").last.flatMap { UInt16($0.prefix { $0.isNumber }) }
    printed = line.split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) } ?? ""
    port = try #require(number, "slipbox said “\(line)”")
    let key = line.split(separator: "access=").last.map { $0.prefix { $0.isHexDigit } } ?? ""
    cookie = "slipbox-\(port)=\(key)"
  }

  deinit {
    kill()
  }

  /// Ends the program at once, as a power cut would.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Asks the program to end, and says how it did.
  func end() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Resident memory in megabytes.
  var megabytes: Int {
    let status = try? String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status",
      encoding: .utf8
    )
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
      / 1024
  }
}
