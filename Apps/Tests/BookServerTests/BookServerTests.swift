import ChildPrograms
import CoreData
import CoreDataWebServer
import Foundation
import Testing

@testable import BookServer

/// A shop with ten books, in a folder of its own, asked as over HTTP.
private final class TestShop: Sendable {
  let stack: BookStack
  let feed: BookFeed
  let router: Router
  let file: URL
  private let folder: URL

  init() async throws {
    folder = URL.temporaryDirectory.appending(component: "books-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appending(component: "Books.sqlite")
    stack = try BookStack(store: file)
    try await stack.fill(10)
    feed = BookFeed(stack.container)
    router = BookRoutes(shop: BookShop(container: stack.container), feed: feed).router
  }

  deinit {
    // The folder is temporary: where it stays, nothing is lost.
    try? FileManager.default.removeItem(at: folder)
  }

  /// The status and the JSON of an answer.
  func ask(
    _ method: Method,
    _ path: String,
    _ body: String = ""
  ) async throws -> (status: Int, json: Any?) {
    let response = await router.respond(to: try Request(method, path, body: Data(body.utf8)))
    guard case .data(let data) = response.body else { return (response.status, nil) }
    return (response.status, try JSONSerialization.jsonObject(with: data))
  }

  func stock(_ number: Int) async throws -> Int? {
    let book = try await ask(.get, "/api/books/\(number)").json as? [String: Any]
    return book?["stock"] as? Int
  }
}

struct `A bookshop over HTTP` {
  @Test func `lists books page by page, with their categories`() async throws {
    let shop = try await TestShop()
    let page = try await shop.ask(.get, "/api/books?after=3&limit=2").json as? [[String: Any]]
    #expect(page?.map { $0["number"] as? Int } == [4, 5])
    #expect(page?.map { $0["category.name"] as? String } == ["Travel", "Biography"])
    let one = try await shop.ask(.get, "/api/books/7").json as? [String: Any]
    #expect(one?["title"] as? String == "History, volume 7")
    #expect(one?["price"] as? Double == 5.07)
  }

  @Test func `finds words of titles`() async throws {
    let shop = try await TestShop()
    let found = try await shop.ask(.get, "/api/books?search=hist").json as? [[String: Any]]
    #expect(found?.map { $0["number"] as? Int } == [2, 7])
  }

  @Test func `whoever went on behind the first books that a search has found got them again`()
    async throws
  {
    let shop = try await TestShop()
    let first = try await shop.ask(.get, "/api/books?search=hist&limit=1").json
    #expect((first as? [[String: Any]])?.map { $0["number"] as? Int } == [2])
    let next = try await shop.ask(.get, "/api/books?search=hist&limit=1&after=2").json
    #expect((next as? [[String: Any]])?.map { $0["number"] as? Int } == [7])
    let last = try await shop.ask(.get, "/api/books?search=hist&after=7").json
    #expect((last as? [Any])?.isEmpty == true)
  }

  @Test func `sells what is there, and no more`() async throws {
    let shop = try await TestShop()
    let sold = try await shop.ask(.post, "/api/orders", #"{"book": 1, "quantity": 99}"#)
    #expect(sold.status == 201)
    #expect((sold.json as? [String: Any])?["stock"] as? Int == 1)
    let refused = try await shop.ask(.post, "/api/orders", #"{"book": 1, "quantity": 2}"#)
    #expect(refused.status == 409)
    let sentence = (refused.json as? [String: Any])?["error"] as? String
    #expect(sentence == "There is only 1 copy of “Fiction, volume 1”.")
    #expect(try await shop.stock(1) == 1)
    _ = try await shop.ask(.post, "/api/orders", #"{"book": 1, "quantity": 1}"#)
    let none = try await shop.ask(.post, "/api/books/1/stock", #"{"change": -1}"#)
    let words = (none.json as? [String: Any])?["error"] as? String
    #expect(words == "There is no copy of “Fiction, volume 1”.")
  }

  @Test func `a receipt had parts of a cent`() async throws {
    let shop = try await TestShop()
    let body = Data(#"{"book": 2, "quantity": 3}"#.utf8)
    let answer = await shop.router.respond(to: try Request(.post, "/api/orders", body: body))
    guard case .data(let receipt) = answer.body else { throw CocoaError(.coderValueNotFound) }
    #expect(
      String(decoding: receipt, as: UTF8.self)
        == #"{"book":2,"price":15.06,"quantity":3,"stock":97}"#
    )
  }

  @Test func `fills the stock up, and takes away what is there`() async throws {
    let shop = try await TestShop()
    let more = try await shop.ask(.post, "/api/books/3/stock", #"{"change": 5}"#)
    #expect((more.json as? [String: Any])?["stock"] as? Int == 105)
    let gone = try await shop.ask(.post, "/api/books/3/stock", #"{"change": -106}"#)
    #expect(gone.status == 409)
    #expect(try await shop.stock(3) == 105)
  }

  @Test func `loses no copy to customers who come at once, at two servers`() async throws {
    let shop = try await TestShop()
    let other = BookShop(container: try BookStack(store: shop.file).container)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          if number.isMultiple(of: 2) {
            _ = try await other.order(OrderDraft(book: 2, quantity: 1))
          } else {
            let answer = try await shop.ask(.post, "/api/orders", #"{"book": 2, "quantity": 1}"#)
            #expect(answer.status == 201)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await shop.stock(2) == 40)
    let best = try await shop.ask(.get, "/api/bestsellers").json as? [[String: Any]]
    #expect(best?.map { $0["sold"] as? Int } == [60])
    #expect(best?.first?["category"] as? String == "History")
    #expect(best?.first?["place"] as? Int == 1)
  }

  @Test func `a customer before whom others were eight times was told of an error of the server`()
    async throws
  {
    let shop = try await TestShop()
    let other = try BookStack(store: shop.file)
    let coordinator = ObjectIdentifier(shop.stack.container.persistentStoreCoordinator)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextWillSave,
      object: nil,
      queue: nil
    ) { notification in
      let saved = (notification.object as? NSManagedObjectContext)?.persistentStoreCoordinator
      guard saved.map(ObjectIdentifier.init) == coordinator else { return }
      let faster = other.container.newBackgroundContext()
      faster.performAndWait {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(format: "number == 5")
        #expect(throws: Never.self) {
          try faster.fetch(request).first?.stock += 1
          try faster.save()
        }
      }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let order = try Request(.post, "/api/orders", body: Data(#"{"book": 5, "quantity": 1}"#.utf8))
    let answer = await shop.router.respond(to: order)
    #expect(answer.status == 503)
    #expect(answer.headers["Retry-After"] == "1")
    #expect(try await shop.stock(5) == 108)
  }

  @Test func `tells of sales, also of those of another process`() async throws {
    let shop = try await TestShop()
    let response = await shop.router.respond(to: try Request(.get, "/api/events"))
    guard case .events(let events) = response.body else {
      Issue.record("no events")
      return
    }
    let other = BookShop(container: try BookStack(store: shop.file).container)
    _ = try await other.order(OrderDraft(book: 4, quantity: 3))
    for await event in events where event.name == "stock" {
      #expect(event.data == #"{"book":4,"stock":97}"#)
      break
    }
  }

  @Test func `has figures for Prometheus`() async throws {
    let shop = try await TestShop()
    let response = await shop.router.respond(to: try Request(.get, "/metrics"))
    guard response.status == 200, case .data(let data) = response.body else {
      Issue.record("\(response)")
      return
    }
    #expect(String(decoding: data, as: UTF8.self).contains("# TYPE coredata_contexts gauge\n"))
  }

  @Test func `says how its store is`() async throws {
    let shop = try await TestShop()
    let answer = try await shop.ask(.get, "/health")
    #expect(answer.status == 200)
    let report = try #require(answer.json as? [String: Any])
    #expect(report["canServe"] as? Bool == true)
    let health = (report["stores"] as? [[String: Any]])?.first
    #expect(health?["isReadable"] as? Bool == true)
    #expect(health?["isWritable"] as? Bool == true)
  }

  @Test(arguments: [
    ("/api/books/99", 404), ("/api/books/x", 404), ("/api/books?limit=0", 400),
    ("/api/books?after=-1", 400), ("/api/books?search=x&after=-1", 400),
    ("/api/bestsellers?places=1000", 400),
  ])
  func `refuses what it does not have`(path: String, status: Int) async throws {
    #expect(try await TestShop().ask(.get, path).status == status)
  }

  @Test(arguments: [
    #"{"book": 1, "quantity": 0}"#, #"{"book": 1}"#, "[]", #"{"book": 1e99, "quantity": 1}"#,
  ])
  func `refuses orders that are none`(body: String) async throws {
    #expect(try await TestShop().ask(.post, "/api/orders", body).status == 400)
  }
}

@Suite(.enabled(if: DatabaseServer.isInstalled))
struct `A bookshop over a database on a server` {
  @Test func `two servers with one database lose no copy of a book`() async throws {
    let address = try #require(URL(string: DatabaseServer.shared.makeDatabase()))
    let stacks = [try BookStack(store: address), try BookStack(store: address)]
    try await stacks[0].fill(3)
    let routers = stacks.map { stack in
      BookRoutes(shop: BookShop(container: stack.container), feed: BookFeed(stack.container)).router
    }
    let body = Data(#"{"change":-1}"#.utf8)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        let router = routers[number % 2]
        group.addTask {
          await router.respond(to: try Request(.post, "/api/books/1/stock", body: body)).status
        }
      }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 20))
    for router in routers {
      let answer = await router.respond(to: try Request(.get, "/api/books/1"))
      guard case .data(let data) = answer.body else { throw CocoaError(.coderValueNotFound) }
      let book = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      #expect(book?["stock"] as? Int == 80)
    }
    for stack in stacks { try stack.close() }
  }
}
