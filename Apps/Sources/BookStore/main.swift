import Foundation

// A bookstore, from its data model to predicates and change observation.
//
//   Persistence   opens the store
//   ExampleData   fills it
//   Examples      fetches, observes
//   Rules         asks what other models would have refused

do {
  switch try Options(CommandLine.arguments.dropFirst()) {
  case .help:
    print(Options.usage)
  case .run(let file):
    let persistence = try Persistence(store: file)
    try ExampleData(persistence).initStore()
    try Examples(persistence).showExampleData()
    try Rules(persistence).show()
    print("\nThe store is \(persistence.file.path)")
  }
} catch {
  FileHandle.standardError.write(Data("bookstore: \(sentence(for: error))\n".utf8))
  exit(1)
}

/// The event and its reason, if the error knows it.
func sentence(for error: any Error) -> String {
  [error.localizedDescription, (error as NSError).localizedFailureReason]
    .compactMap { $0 }
    .joined(separator: " ")
}
