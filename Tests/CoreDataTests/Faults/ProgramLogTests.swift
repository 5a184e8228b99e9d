import Testing

@testable import CoreData

/// Tests of the framework's messages in the log of a program.
struct ProgramLogTests {
  @Test(arguments: [
    ("Note.image", "Note.image"), ("a\nb\r\nc", "a␊b␍␊c"), ("\u{1B}[2J\u{07}\0", "␛[2J␇␀"),
    ("\u{202E}end\u{9B}5m\u{7F}", "\u{FFFD}end\u{FFFD}5m␡"), ("Grüße, 東京 🗒️", "Grüße, 東京 🗒️"),
  ])
  func `a text from a store began lines of its own and controlled the terminal`(
    text: String,
    line: String
  ) {
    #expect(ProgramLog.line(text) == line)
  }
}
