import CoreData
import CoreDataWebServer
import Foundation

/// The shop over HTTP.
struct BookRoutes {
  let shop: BookShop
  let feed: BookFeed
  var counter = StoreCounter()

  var router: Router {
    var router = Router()
    router.get(
      "/api/books",
      named { [shop] request in
        let limit = try request.number("limit", in: 1...500) ?? 50
        let number = try request.number("after", in: 0...Int(Int64.max)) ?? 0
        if let words = request.query["search"] {
          return try .json(await shop.books(matching: words, after: number, limit: limit))
        }
        return try .json(await shop.books(after: number, limit: limit))
      }
    )
    router.get(
      "/api/books/:number",
      named { [shop] request in
        try .json(await shop.book(request.bookNumber))
      }
    )
    router.post(
      "/api/books/:number/stock",
      named { [shop] request in
        let change: StockChange = try request.json()
        let number = try request.bookNumber
        let stock = try await shop.changeStock(of: number, by: change.change)
        return try .json(BookFeed.Stock(book: number, stock: stock))
      }
    )
    router.post(
      "/api/orders",
      named { [shop] request in
        try .json(await shop.order(request.json()), status: 201)
      }
    )
    router.get(
      "/api/bestsellers",
      named { [shop] request in
        try .json(await shop.bestsellers(places: request.number("places", in: 1...100) ?? 3))
      }
    )
    router.get("/api/events") { [feed] _ in .events(feed.listeners.stream()) }
    router.get("/health") { [shop] _ in
      let report = await shop.health()
      return try .json(report, status: report.statusCode)
    }
    router.get("/metrics") { [counter] _ in
      .data(Data(counter.prometheusText.utf8), contentType: "text/plain; version=0.0.4")
    }
    return router
  }
}

extension BookRoutes {
  /// Has the log of slow statements name the request that they ran for.
  private func named(_ handler: @escaping Handler) -> Handler {
    { request in
      try await StoreMetrics.$requestID.withValue(request.id) { try await handler(request) }
    }
  }
}

private struct StockChange: Codable { let change: Int }

extension Request {
  fileprivate var bookNumber: Int { get throws { try number(named: "number", of: "book") } }
}
