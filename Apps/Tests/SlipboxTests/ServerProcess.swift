import ChildPrograms
import Foundation
import Testing

/// The program itself, as a user runs it.
final class ServerProcess {
  let port: UInt16
  /// The cookie that a browser gets from the printed address.
  let cookie: String
  /// The address as it was printed.
  let printed: String
  private let process: ChildProgram

  /// Starts `slipbox`, which is in the folder of the tests, and waits until it listens.
  ///
  /// `limit` is a command of the shell that runs before.
  init(store: URL, _ more: [String] = [], limit: String = ":") throws {
    let program = try URL.built("slipbox").path
    process = try ChildProgram(
      URL(filePath: "/bin/bash"),
      ["-c", "\(limit); exec \"$0\" \"$@\"", program]
        + ["--port", "0", "--store", store.path, "--no-samples"] + more,
      output: .pipe,
      errors: .nothing
    )
    var line = ""
    while !line.contains("\n") {
      let piece = process.output.availableData
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
  func kill() { process.kill() }

  /// Asks the program to end, and says how it did.
  func end() -> ChildProgram.Ending { process.terminate() }

  /// Resident memory in megabytes.
  var megabytes: Int { megabytes(of: "VmRSS") }

  /// The most resident memory that the program has had, in megabytes.
  var mostMegabytes: Int { megabytes(of: "VmHWM") }

  /// The seconds of a processor that the program has used, in which no waiting for other programs counts.
  var processorSeconds: Double {
    let path = "/proc/\(process.processIdentifier)/stat"
    // The file goes with the program, and the test of a program that has ended fails.
    guard let fields = try? String(contentsOfFile: path, encoding: .utf8),
      let end = fields.lastIndex(of: ")")
    else { return .infinity }
    // Behind the name in parentheses, from the third field on: the times are the 14th and 15th.
    let ticks = fields[end...].split(separator: " ").dropFirst(12).prefix(2)
      .compactMap { Double($0) }
    return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private func megabytes(of field: String) -> Int {
    let status = try? String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status",
      encoding: .utf8
    )
    let line = status?.split(separator: "\n").first { $0.hasPrefix(field) }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
      / 1024
  }
}
