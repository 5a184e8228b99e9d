import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Testing

@testable import Slipbox

/// The pages, and the places in the app that are not files.
struct PageTests {
  /// The answer at an address: the name of a file, or a number.
  private func answer(_ target: String) async throws -> String {
    let response = try await response(target)
    guard case .file(let url) = response.body else { return "\(response.status)" }
    let cache = response.headers["Cache-Control"].map { " \($0)" } ?? ""
    return url.lastPathComponent + (url.lastPathComponent == "sw.js" ? cache : "")
  }

  private func response(_ target: String) async throws -> Response {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("slipbox-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pages = folder.appendingPathComponent("Web")
    try FileManager.default.createDirectory(
      at: pages.appendingPathComponent("look"),
      withIntermediateDirectories: true
    )
    for name in ["index.html", "sw.js", "look/app.css"] {
      try Data(name.utf8).write(to: pages.appendingPathComponent(name))
    }
    let library = try Library(folder: folder.appendingPathComponent("store"))
    defer { library.close() }
    let router = SlipboxRouter(library, pages: pages).router
    return await router.respond(to: try Request(.get, target))
  }

  @Test(arguments: [
    ("/", "index.html"), ("/index.html", "index.html"), ("/look/app.css", "app.css"),
    ("/sw.js", "sw.js no-cache"), ("/note/12", "index.html"), ("/folder/a/b/c/d", "index.html"),
    ("/missing.js", "404"), ("/look/missing.css", "404"), ("/api/missing", "404"), ("/api", "404"),
    ("/.git", "404"),
  ])
  func `files are files, and other places are the page`(
    address: (target: String, answer: String)
  ) async throws {
    #expect(try await answer(address.target) == address.answer)
  }

  @Test func `the page that draws diagrams may have styles, and scripts of this server only`()
    async throws
  {
    let headers = try await response("/view/diagramFrame.html").headers
    let policy = try #require(headers["Content-Security-Policy"])
    #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"))
    #expect(policy.contains("style-src 'unsafe-inline'") && !policy.contains("unsafe-eval"))
    #expect(policy.contains("frame-ancestors 'self'"))
    #expect(headers["X-Frame-Options"] == "SAMEORIGIN")
    // The page around it has the server's own policy.
    #expect(try await response("/").headers["Content-Security-Policy"] == nil)
  }
}
