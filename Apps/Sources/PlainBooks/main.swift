import CoreDataWebServer
import Foundation

// The routes of bookserver, on SQLite alone: Scripts/load-books compares bookserver with them.

let program = WebProgram("plain-books", "The routes of bookserver.", port: 8091, hasKey: false)

await program.run { options in
  guard let file = options.store else { throw Problem(400, "--store FILE is missing") }
  let books = PlainShop(path: file.path)
  try await WebServer(books.router, configuration: options.configuration)
    .run { announce("Books are at \($0)") }
}
