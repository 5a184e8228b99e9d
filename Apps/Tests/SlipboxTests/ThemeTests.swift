import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Synchronization
import Testing

@testable import Slipbox

/// The owner's own styles.
struct ThemeTests {
  private func theme(_ page: Page) async throws -> (text: String, answer: Page.Answer) {
    let answer = try await page.ask(.get, "/theme.css")
    #expect(answer.status == 200)
    #expect(answer.headers["Content-Type"] == "text/css; charset=utf-8")
    #expect(answer.headers["Cache-Control"] == "no-cache")
    return (String(decoding: answer.data, as: UTF8.self), answer)
  }

  @Test func `a theme is the file beside the notes as it is now, and nothing without it`()
    async throws
  {
    let page = try Page()
    let file = page.folder.appending(component: "theme.css")
    let none = try await theme(page)
    #expect(none.text == "")
    let remark = "/* \(String(repeating: "a", count: 100)) */"
    try Data("\(remark) :root { --accent: teal; }".utf8).write(to: file)
    let first = try await theme(page)
    #expect(first.text == "\(remark) :root { --accent: teal; }")
    #expect(try await theme(page).answer.headers["ETag"] == first.answer.headers["ETag"])
    try Data("\(remark) :root { --accent: navy; }".utf8).write(to: file)
    let second = try await theme(page)
    #expect(second.text.contains("navy"))
    #expect(second.answer.headers["ETag"] != first.answer.headers["ETag"])
    try FileManager.default.removeItem(at: file)
    #expect(try await theme(page).answer.headers["ETag"] == none.answer.headers["ETag"])
  }

  @Test func `a theme that cannot be used is named once, with the remedy`() throws {
    let folder = URL.temporaryDirectory.appending(component: "theme-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(component: "theme.css")
    let said = Mutex<[String]>([])
    let theme = Theme(file) { sentence in said.withLock { $0.append(sentence) } }
    func styles() -> String {
      guard case .data(let data) = theme.response().body else { return "?" }
      return String(decoding: data, as: UTF8.self)
    }
    let wrong: [(Data, String)] = [
      (Data(count: Theme.largest + 1), "it has more than 256 KB. Make it smaller."),
      (
        Data([0x62, 0xFF, 0xFE]), "it is not a text in UTF-8. Save it as one in your editor."
      ),
    ]
    for (data, reason) in wrong {
      said.withLock { $0 = [] }
      try data.write(to: file)
      for _ in 0..<3 { #expect(styles() == "/* \(sentence(file, reason)) */\n") }
      #expect(said.withLock { $0 } == [sentence(file, reason)])
    }
    try Data(repeating: 0x20, count: Theme.largest).write(to: file)
    #expect(styles().utf8.count == Theme.largest)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(styles().contains("it is not a file. Put a file of CSS in its place, or remove it."))
    // One that never comes to an end would hold up the pages.
    try FileManager.default.removeItem(at: file)
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(styles().contains("it is not a file."))
  }

  private func sentence(_ file: URL, _ reason: String) -> String {
    "The theme \(file.path) is not used: \(reason)"
  }

  @Test func `a sentence about a theme stays in its comment`() {
    let theme = Theme(URL(fileURLWithPath: "/dev/null/*/body{display:none}")) { _ in }
    guard case .data(let data) = theme.response().body else { return }
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.hasPrefix("/* The theme /dev/null/* /body{display:none} is not used"))
    #expect(text.hasSuffix(" */\n") && text.dropLast(3).contains("*/") == false)
  }

  @Test func `a theme may be anywhere`() throws {
    let options = try Options(["--store", "/x", "--theme", "/y/mine.css"])
    #expect(options.theme?.path == "/y/mine.css")
    let database = try Options(["--store", "postgresql:///notes", "--theme", "mine.css"])
    #expect(database.theme?.lastPathComponent == "mine.css")
    #expect(throws: OptionsError.self) { try Options(["--theme"]) }
  }

  @Test func `each variable that the documentation names can be set`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let words = try String(contentsOf: root.appending(path: "Slipbox.md"), encoding: .utf8)
    let tokens = try String(
      contentsOf: root.appending(path: "Sources/Look/Web/tokens.css"),
      encoding: .utf8
    )
    let themes = try #require(
      words.split(separator: "## Themes\n").last?.split(separator: "\n## ").first
    )
    let names = themes.matches(of: /--[a-z][a-z0-9-]*[a-z0-9]/).map { String($0.output) }
    #expect(names.count > 20)
    for name in names where !["--theme", "--store"].contains(name) {
      #expect(tokens.contains("  \(name): "), "\(name)")
    }
  }
}
