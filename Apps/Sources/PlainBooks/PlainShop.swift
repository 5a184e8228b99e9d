import CoreDataStrictJSON
import CoreDataWebServer
import Foundation
import Synchronization

/// The shop of `bookserver`, over the same file, as somebody would write it with SQLite alone.
final class PlainShop: Sendable {
  private let path: String
  private let idle = Mutex<[Database]>([])

  init(path: String) {
    self.path = path
  }

  /// Lends a connection to one request.
  private func with<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let database = try idle.withLock { $0.popLast() } ?? Database(path: path)
    defer { idle.withLock { $0.append(database) } }
    return try body(database)
  }
}

// MARK: - Routes

extension PlainShop {
  struct Book: Codable {
    let number: Int64
    let title: String
    let price: Double
    let stock: Int64
    let category: String?

    private enum CodingKeys: String, CodingKey {
      case number, title, price, stock
      case category = "category.name"
    }
  }

  private struct OrderDraft: Codable {
    let book: Int64
    let quantity: Int64
  }

  private struct OrderReceipt: Codable {
    let book: Int64
    let quantity: Int64
    let price: Double
    let stock: Int64
  }

  private struct Stock: Codable {
    let book: Int64
    let stock: Int64
  }

  private struct StockChange: Codable { let change: Int64 }

  var router: Router {
    var router = Router()
    router.get("/api/books") { [self] request in
      let limit = request.query["limit"].flatMap { WholeNumber.read($0, within: 1...500) } ?? 50
      let after = request.query["after"].flatMap {
        WholeNumber.read($0, within: 0...Int(Int32.max))
      }
      let number = Int64(after ?? 0)
      if let words = request.query["search"] {
        return try .json(search(words, after: number, limit: limit))
      }
      return try .json(books(after: number, limit: limit))
    }
    router.get("/api/books/:number") { [self] request in try .json(book(number(of: request))) }
    router.post("/api/books/:number/stock") { [self] request in
      let change: StockChange = try request.json()
      let number = try number(of: request)
      return try .json(Stock(book: number, stock: changeStock(of: number, by: change.change)))
    }
    router.post("/api/orders") { [self] request in try .json(order(request.json()), status: 201) }
    return router
  }

  private func number(of request: Request) throws -> Int64 {
    guard
      let number = WholeNumber.read(try request.parameter("number"), within: 0...Int(Int32.max))
    else { throw Problem(404, "There is no such book.") }
    return Int64(number)
  }
}

// MARK: - SQL

extension PlainShop {
  private static let columns = """
    SELECT b.ZNUMBER, b.ZTITLE, b.ZPRICE, b.ZSTOCK, c.ZNAME FROM ZBOOK b \
    LEFT JOIN ZBOOKCATEGORY c ON c.Z_PK = b.ZCATEGORY
    """

  private func read(_ row: Database.Row) -> Book {
    Book(
      number: row.integer(0),
      title: row.text(1) ?? "",
      price: row.real(2),
      stock: row.integer(3),
      category: row.text(4)
    )
  }

  private func books(after number: Int64, limit: Int) throws -> [Book] {
    try with {
      try $0.rows(
        Self.columns + " WHERE b.ZNUMBER > ? ORDER BY b.ZNUMBER LIMIT ?",
        [.integer(number), .integer(Int64(limit))],
        read
      )
    }
  }

  private func search(_ words: String, after number: Int64, limit: Int) throws -> [Book] {
    let question = words.split(whereSeparator: \.isWhitespace)
      .map { "\"" + $0.replacingOccurrences(of: "\"", with: "\"\"") + "\"*" }.joined(separator: " ")
    return try with {
      try $0.rows(
        Self.columns
          + " WHERE b.Z_PK IN (SELECT rowid FROM plain_words WHERE plain_words MATCH ?)"
          + " AND b.ZNUMBER > ? ORDER BY b.ZNUMBER LIMIT ?",
        [.text(question), .integer(number), .integer(Int64(limit))],
        read
      )
    }
  }

  private func book(_ number: Int64) throws -> Book {
    let found = try with {
      try $0.rows(Self.columns + " WHERE b.ZNUMBER = ?", [.integer(number)], read)
    }
    guard let book = found.first else { throw Problem(404, "There is no book \(number).") }
    return book
  }

  private func changeStock(of number: Int64, by change: Int64) throws -> Int64 {
    try with { database in
      try database.transaction {
        let changed: [Int64] = try database.rows(
          "UPDATE ZBOOK SET ZSTOCK = ZSTOCK + ?1, Z_OPT = Z_OPT + 1"
            + " WHERE ZNUMBER = ?2 AND ZSTOCK + ?1 >= 0 RETURNING ZSTOCK",
          [.integer(change), .integer(number)]
        ) { $0.integer(0) }
        guard let stock = changed.first else { throw Problem(409, "There are not enough copies.") }
        return stock
      }
    }
  }

  private func order(_ draft: OrderDraft) throws -> OrderReceipt {
    try with { database in
      try database.transaction {
        let sold: [(Int64, Double, Int64)] = try database.rows(
          "UPDATE ZBOOK SET ZSTOCK = ZSTOCK - ?1, Z_OPT = Z_OPT + 1"
            + " WHERE ZNUMBER = ?2 AND ZSTOCK >= ?1 RETURNING Z_PK, ZPRICE, ZSTOCK",
          [.integer(draft.quantity), .integer(draft.book)]
        ) { ($0.integer(0), $0.real(1), $0.integer(2)) }
        guard let (key, price, stock) = sold.first else {
          throw Problem(409, "There are not enough copies.")
        }
        _ = try database.rows(
          "INSERT INTO plain_orders (book, placed, quantity, price) VALUES (?, ?, ?, ?)",
          [
            .integer(key), .real(Date().timeIntervalSinceReferenceDate), .integer(draft.quantity),
            .real(price),
          ]
        ) { _ in }
        return OrderReceipt(
          book: draft.book,
          quantity: draft.quantity,
          price: price * Double(draft.quantity),
          stock: stock
        )
      }
    }
  }
}
