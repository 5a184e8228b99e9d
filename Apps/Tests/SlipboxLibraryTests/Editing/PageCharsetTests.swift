import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Pages of the web that are older than UTF-8 come in with the letters that they were written in.
struct PageCharsetTests {
  private static func page(_ head: String, _ bytes: [UInt8]) -> Data {
    Data("<html><head>\(head)</head><p>".utf8) + Data(bytes)
  }

  @Test(arguments: [
    ("<meta charset=\"koi8-r\">", [0xE6, 0xC1], "Фа"),
    ("<META CHARSET=Windows-1251 >", [0xD4, 0xE0], "Фа"),
    (
      "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=ISO-8859-2\">",
      [0xB1, 0xE6], "ąć"
    ),
    ("<meta name=charset content=no><meta charset='iso-8859-15'>", [0xA4], "€"),
    // As browsers do it: pages named Latin 1 were written with the letters of Windows.
    ("<meta charset=iso-8859-1>", [0x84, 0x61, 0x93, 0xE9], "„a“é"),
    ("<meta charset=shift_jis>", [0x82, 0xA0], "あ"),
    ("<meta charset=iso-2022-jp>", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ"),
    ("<meta charset=gb2312>", [0xC4, 0xE3], "你"), ("<meta charset=big5>", [0xA7, 0x41], "你"),
    ("<meta charset=utf-8>", [0xC3, 0xA9], "é"), ("", [0xC3, 0xA9], "é"), ("", [0xE9], "é"),
    ("<!-- <meta charset=koi8-r> --><meta charset=windows-1253>", [0xE1], "α"),
    // Some are not in the encoding that they name, or name one that they cannot be in.
    ("<meta charset=utf-8>", [0xE9], "é"), ("<meta charset=utf-16>", [0xC3, 0xA9], "é"),
    // A byte that means nothing made the page an empty one.
    ("", [0x63, 0x81, 0x61, 0x66, 0xE9], "café"),
  ])
  func `pages older than UTF-8 came in with damaged letters`(
    head: String,
    bytes: [UInt8],
    letters: String
  ) throws {
    #expect(try ImportedText.page(Self.page(head, bytes)).hasSuffix("<p>\(letters)"))
  }

  @Test func `the first bytes of a page come before what it says`() throws {
    let text = "<meta charset=koi8-r><p>Füße"
    #expect(try ImportedText.page(Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)) == text)
    let wide = try #require(text.data(using: .utf16LittleEndian))
    #expect(try ImportedText.page(Data([0xFF, 0xFE]) + wide) == text)
  }

  @Test func `a declaration of XML names an encoding too`() {
    let page = "<?xml version=\"1.0\" encoding=\"windows-1250\"?><html>"
    #expect(PageCharset(of: Data(page.utf8))?.encoding == .windowsCP1250)
    #expect(PageCharset(of: Data("<p>charset=koi8-r, encoding=x".utf8)) == nil)
  }

  @Test func `a page in an encoding that is not read here says so`() async throws {
    let box = try Box()
    let source = try Archive.of([
      ("a.html", Self.page("<meta charset=euc-jp>", [0xA4, 0xA2])),
      ("b.html", Self.page("<meta charset=euc-jp>", [0x61])),
    ])
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.notes == 1 && report.refused.map(\.name) == ["a.html"])
    #expect(report.refused.first?.reason.contains("“euc-jp”") == true)
    #expect(try await box.text(of: "b").plainText == "a")
  }
}
