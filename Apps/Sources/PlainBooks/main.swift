import Foundation
import WebServer

// The routes of bookserver, on SQLite alone: what Scripts/load-books holds bookserver against.

do {
  let options = try ProgramOptions(CommandLine.arguments.dropFirst(), port: 8091)
  guard let file = options.store else { throw Problem(400, "--store FILE is missing") }
  let books = PlainShop(path: file.path)
  try await WebServer(books.router, configuration: options.configuration)
    .run { announce("Books are at \($0)") }
} catch {
  FileHandle.standardError.write(Data("plain-books: \(error.localizedDescription)\n".utf8))
  exit(1)
}
