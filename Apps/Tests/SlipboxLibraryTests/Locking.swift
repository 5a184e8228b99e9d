import Foundation
import Testing

/// Another program that has begun to write a store, and takes its time.
final class Locking {
  private let program = Process()
  private let words = Pipe()

  init(_ store: URL) throws {
    program.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    program.arguments = ["-batch", store.path]
    program.standardInput = words
    let answers = Pipe()
    program.standardOutput = answers
    try program.run()
    say(".timeout 5000\nBEGIN IMMEDIATE;\nSELECT 'begun';\n")
    let answer = String(decoding: answers.fileHandleForReading.availableData, as: UTF8.self)
    try #require(answer.contains("begun"))
  }

  func letGo() {
    say("ROLLBACK;\n.quit\n")
    program.waitUntilExit()
  }

  private func say(_ text: String) {
    words.fileHandleForWriting.write(Data(text.utf8))
  }
}

/// What another program does with a store.
enum Shell {
  static func run(_ statements: String, on store: URL) throws {
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    program.arguments = ["-batch", store.path, ".timeout 5000", statements]
    try program.run()
    program.waitUntilExit()
    try #require(program.terminationStatus == 0)
  }
}
