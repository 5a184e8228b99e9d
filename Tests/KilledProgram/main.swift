import CoreData
import TestSupport

// A program that works on a store until it is killed.
//
//     program-to-kill saves /path/of/Notes.sqlite
//
// It writes a zero when the store is open, and the number of each step when it is done: eight bytes.
//
//     program-to-kill writes /path/of/Notes.sqlite 500 Title
//
// Writes that often to the note with a title, and ends.

private func report(_ number: Int) {
  var number = Int64(number)
  guard write(STDOUT_FILENO, &number, 8) == 8 else { exit(3) }
}

private let arguments = CommandLine.arguments
if arguments.count == 5, arguments[1] == "writes", let count = Int(arguments[3]) {
  let container = try CountingWriters.container(at: URL(fileURLWithPath: arguments[2]))
  for _ in 0..<count { try await CountingWriters.write(to: arguments[4], in: container) }
  exit(0)
}
guard arguments.count == 3, let kind = WorkKind(rawValue: arguments[1]) else { exit(2) }
do {
  var work = try kind.type.init(at: URL(fileURLWithPath: arguments[2]))
  report(0)
  while true { report(try work.step()) }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
