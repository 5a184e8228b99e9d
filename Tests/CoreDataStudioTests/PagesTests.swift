import CoreDataStudio
import CoreDataWebServer
import Foundation
import Testing

struct `The pages` {
  @Test func `are in the program, with all that they name`() async throws {
    let store = try StudioStore()
    let index = try await store.get("/")
    #expect(index.headers["Content-Type"] == "text/html; charset=utf-8")
    var (waiting, met) = (["/app.js"], Set<String>())
    let html = String(decoding: index.data, as: UTF8.self)
    waiting += html.matches(of: /(?:href|src)="(\/[^"]+)"/).map { String($0.output.1) }
    while let path = waiting.popLast() {
      guard met.insert(path).inserted else { continue }
      let answer = try await store.get(path)
      #expect(answer.status == 200, "\(path)")
      guard path.hasSuffix(".js") else { continue }
      let script = String(decoding: answer.data, as: UTF8.self)
      waiting += script.matches(of: /from "\.?(\/[^"]+)"/).map { String($0.output.1) }
    }
    #expect(met.count > 15)
  }

  @Test func `are for this machine alone, and for those who have the key`() {
    let configuration = Studio.configuration(port: 0)
    #expect(configuration.host == "127.0.0.1")
    #expect(configuration.key != nil)
    #expect(configuration.securityHeaders.contentSecurityPolicy.hasPrefix("default-src 'none'"))
    #expect(Studio.configuration(port: 0).key?.secret != configuration.key?.secret)
  }
}
