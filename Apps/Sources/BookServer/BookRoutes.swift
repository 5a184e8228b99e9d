import CoreData
import CoreDataWebServer
import Foundation

/// The shop over HTTP.
struct BookRoutes {
  let shop: BookShop
  let feed: BookFeed

  var router: Router {
    var router = Router()
    router.get("/api/books") { [shop] request in
      let limit = try request.number("limit", in: 1...500) ?? 50
      let number = try request.number("after", in: 0...Int(Int64.max)) ?? 0
      if let words = request.query["search"] {
        return try .json(await shop.books(matching: words, after: number, limit: limit))
      }
      return try .json(await shop.books(after: number, limit: limit))
    }
    router.get("/api/books/:number") { [shop] request in
      try .json(await shop.book(request.bookNumber))
    }
    router.post("/api/books/:number/stock") { [shop] request in
      let change: StockChange = try request.json()
      let number = try request.bookNumber
      let stock = try await shop.changeStock(of: number, by: change.change)
      return try .json(BookFeed.Stock(book: number, stock: stock))
    }
    router.post("/api/orders") { [shop] request in
      try .json(await shop.order(request.json()), status: 201)
    }
    router.get("/api/bestsellers") { [shop] request in
      try .json(await shop.bestsellers(places: request.number("places", in: 1...100) ?? 3))
    }
    router.get("/api/events") { [feed] _ in .events(feed.listeners.stream()) }
    router.get("/api/health") { [shop] _ in
      let health = shop.health()
      return try .json(health, status: health.allSatisfy(\.isHealthy) ? 200 : 503)
    }
    return router
  }
}

private struct StockChange: Codable { let change: Int }

extension Request {
  fileprivate var bookNumber: Int { get throws { try number(named: "number", of: "book") } }
}
