import CoreData
import CoreDataWebServer
import Foundation

// A bookshop behind a JSON API: several processes may serve one store.
//
//   BookStack    opens the store
//   BookShop     what customers and clerks do; loses no update
//   BookFeed     reports every change of stock, whichever process has made it
//   BookRoutes   the same, over HTTP
//
// SampleBooks has the books that it begins with, and is not part of the example.
//
// There is no key and no encryption: it listens to this machine alone, and a proxy before it has to authenticate
// people.

let program = WebProgram(
  "bookserver",
  "A bookshop behind a JSON API.",
  port: 8090,
  counts: ["--fill"],
  addresses: ["--replica"],
  help: """

      --fill N        begin with N books, where there are none
      --store ADDRESS a PostgreSQL database, as in postgresql://shop@db.example.org/shop, which
                      servers on other machines may have open; ~/.pgpass has the password.
                      Behind PgBouncer with pool_mode = transaction, end the address with
                      ?pooling=transaction
      --replica ADDRESS
                      a replica of that database's server, which answers those who
                      look; there may be several
    """,
  hasKey: false
)

await program.run { options in
  let replicas = options.addresses["--replica"] ?? []
  if !replicas.isEmpty, options.store?.isFileURL != false {
    throw Problem(400, "--replica needs the address of a database behind --store")
  }
  let stack = try BookStack(store: options.store, replicas: replicas)
  if let books = options.counts["--fill"] { try await stack.fill(books) }
  let shop = BookShop(container: stack.container)
  let counter = StoreCounter()
  StoreMetrics.connect(counter)
  let routes = BookRoutes(shop: shop, feed: BookFeed(stack.container), counter: counter)
  try await WebServer(routes.router, configuration: options.configuration)
    .run { announce("Books are at \($0)") }
  // Answers that were being made are done.
  try stack.close()
}
