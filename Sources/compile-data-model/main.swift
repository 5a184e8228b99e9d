import CoreDataModel
import CoreDataModelCompiler
import Foundation

/// Says something where a build system shows it, whatever becomes of the standard output.
func complain(_ text: String) {
  FileHandle.standardError.write(Data("\(text)\n".utf8))
}

do {
  switch try CompilerInvocation(CommandLine.arguments.dropFirst()) {
  case .help:
    print(CompilerInvocation.usage)
  case .compile(let compilation):
    for warning in try compilation.run() {
      complain(warning.description)
    }
  }
} catch let error as ModelError {
  complain(error.description)
  exit(1)
} catch {
  complain("compile-data-model: error: \(error)")
  exit(1)
}
