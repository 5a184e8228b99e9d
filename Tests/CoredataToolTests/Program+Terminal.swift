import ChildPrograms
import Foundation
import Testing

extension Program {
  /// The path of the tool.
  static var path: String {
    get throws { try URL.built("coredata").path }
  }

  /// Runs a line of the shell in which `coredata` is the tool, with something typed or piped in.
  static func shell(_ line: String, input: String = "") throws -> Outcome {
    let outcome = try ChildProgram.run(
      URL(filePath: "/bin/bash"),
      ["-c", "coredata() { \"$TOOL\" \"$@\"; }; \(line)"],
      environment: ProcessInfo.processInfo.environment
        .merging(["TOOL": try path, "TERM": "xterm"]) { _, new in new }
        .filter { !["NO_COLOR", "COLUMNS"].contains($0.key) },
      input: input
    )
    return Outcome(outcome)
  }

  /// Whether a file system can be mounted that nobody else sees.
  static let canMount = (try? shell("unshare -m true"))?.status == 0

  /// Whether a terminal can be played.
  static let hasTerminal = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

  /// The output for a person who types a line at a terminal of some width; the ends of lines are
  /// plain.
  static func seen(_ line: String, columns: Int = 80, typing: String = "") throws -> String {
    let words = "stty cols \(columns) -echo; \(line.replacing("coredata ", with: "$TOOL "))"
    return try shell("script -qec '\(words)' /dev/null", input: typing).output
      .replacing("\r\n", with: "\n")
  }
}
