import Foundation
import WebServer

// A bookshop behind a JSON API: several processes may serve one store.
//
//   BookStack    opens the store
//   BookShop     what customers and clerks do; loses no update
//   BookFeed     tells of every change of stock, whichever process has made it
//   BookRoutes   the same, over HTTP
//
// Where there is no /proc, Swift knows no arguments; they may stand in BOOKSERVER_ARGUMENTS too.
//
// There is no key and no encryption: it listens to this machine alone, and whatever stands before it asks who
// somebody is.

umask(0o077)

do {
  let arguments = ProgramOptions.arguments(of: "bookserver")
  let options = try ProgramOptions(arguments, port: 8090, counts: ["--fill"])
  if options.wantsHelp {
    print(ProgramOptions.usage("bookserver", "A bookshop behind a JSON API.", port: 8090))
    print(
      """
        --fill N        begin with N books, where there are none
        --store ADDRESS a PostgreSQL database, as in postgresql://shop@db.example.org/shop, which
                        servers on other machines may have open; ~/.pgpass has the password
      """
    )
  } else {
    let stack = try BookStack(store: options.store)
    if let books = options.counts["--fill"] { try await stack.fill(books) }
    let shop = BookShop(container: stack.container)
    let routes = BookRoutes(shop: shop, feed: BookFeed(stack.container))
    try await WebServer(routes.router, configuration: options.configuration)
      .run { announce("Books are at \($0)") }
    // Answers that were being made are done.
    try stack.close()
  }
} catch {
  FileHandle.standardError.write(Data("bookserver: \(error.localizedDescription)\n".utf8))
  exit(1)
}
