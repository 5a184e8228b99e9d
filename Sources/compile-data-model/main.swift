import CoreDataModel
import CoreDataModelCompiler
import Foundation

/// Prints a message where a build system shows it, whatever becomes of the standard output.
///
/// A name in a model may hold characters that control a terminal; they are replaced by a sign.
func complain(_ text: String) {
  let scalars = text.unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .control && scalar != "\n" ? "\u{FFFD}" : scalar
  }
  let harmless = String(String.UnicodeScalarView(scalars))
  // A message that cannot be written, such as to a disk that is full, ends no build.
  try? FileHandle.standardError.write(contentsOf: Data("\(harmless)\n".utf8))
}

do {
  switch try CompilerInvocation(CommandLine.arguments.dropFirst()) {
  case .help:
    print(CompilerInvocation.usage)
  case .compile(let compilation):
    for warning in try compilation.run() {
      complain(warning.description)
    }
  case .map(let compilation):
    for warning in try compilation.run() { complain(warning.description) }
  case .manage(let compilation):
    for warning in try compilation.run() { complain(warning) }
  }
} catch let error as ManagedProblems {
  complain(error.description)
  exit(1)
} catch let error as ModelError {
  complain(error.description)
  exit(1)
} catch let error as CocoaError {
  let parts = [error.localizedDescription, (error as NSError).localizedFailureReason]
  complain("compile-data-model: error: \(parts.compactMap(\.self).joined(separator: " "))")
  exit(1)
} catch {
  complain("compile-data-model: error: \(error)")
  exit(1)
}
