import Foundation
import Testing

extension Program {
  /// Where the tool stands.
  static var path: String {
    get throws {
      let tests = try #require(Bundle.main.executableURL)
      return tests.deletingLastPathComponent().appending(component: "coredata").path
    }
  }

  /// Runs a line of the shell in which `coredata` is the tool, with something typed or piped in.
  static func shell(_ line: String, input: String = "") throws -> Outcome {
    let process = Process()
    let (pipe, output, errors) = (Pipe(), Pipe(), Pipe())
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "coredata() { \"$TOOL\" \"$@\"; }; \(line)"]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TOOL": try path, "TERM": "xterm"]) { _, new in new }
      .filter { !["NO_COLOR", "COLUMNS"].contains($0.key) }
    process.standardInput = pipe
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(),
      as: UTF8.self
    )
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: text, errors: complaint)
  }

  /// Whether a terminal can be played.
  static let hasTerminal = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

  /// What a person sees who types a line at a terminal of some width; the ends of lines are plain.
  static func seen(_ line: String, columns: Int = 80, typing: String = "") throws -> String {
    let words = "stty cols \(columns) -echo; \(line.replacing("coredata ", with: "$TOOL "))"
    return try shell("script -qec '\(words)' /dev/null", input: typing).output
      .replacing("\r\n", with: "\n")
  }
}
