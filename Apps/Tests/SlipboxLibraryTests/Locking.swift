import ChildPrograms
import Foundation
import Testing

/// Another program that has begun to write a store, and takes its time.
final class Locking {
  private let program: ChildProgram

  init(_ store: URL) throws {
    program = try ChildProgram(
      URL(fileURLWithPath: "/usr/bin/sqlite3"),
      ["-batch", store.path],
      input: .pipe,
      output: .pipe
    )
    say(".timeout 5000\nBEGIN IMMEDIATE;\nSELECT 'begun';\n")
    let answer = String(decoding: program.output.availableData, as: UTF8.self)
    try #require(answer.contains("begun"))
  }

  func letGo() {
    say("ROLLBACK;\n.quit\n")
    program.wait()
  }

  private func say(_ text: String) {
    program.input.write(Data(text.utf8))
  }
}

/// The actions of another program on a store.
enum Shell {
  static func run(_ statements: String, on store: URL) throws {
    let outcome = try ChildProgram.run(
      URL(fileURLWithPath: "/usr/bin/sqlite3"),
      ["-batch", store.path, ".timeout 5000", statements]
    )
    try #require(outcome.status == 0, "\(outcome.errors)")
  }
}
