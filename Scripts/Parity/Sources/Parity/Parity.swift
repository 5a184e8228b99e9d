import Foundation

/// `Parity <graphs> <documentation>` writes the page; with `--check` it says whether it is up to date.
@main
struct Parity {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--check" }
    guard let graphs = arguments.first, let documentation = arguments.dropFirst().first else {
      fail(["usage: Parity [--check] <folder of symbol graphs> <Documentation>"])
    }
    let folder = URL(fileURLWithPath: documentation)
    let texts = folder.appendingPathComponent("Parity")
    let read = { (name: String) in
      try String(contentsOf: texts.appendingPathComponent(name), encoding: .utf8)
    }
    var page = Page(
      try OurSymbols(graphs: URL(fileURLWithPath: graphs)),
      notes: Notes(try read("Notes.txt"))
    )
    let text = page.text(
      for: AppleSymbols(try read("Symbols.txt")),
      introduction: try read("Introduction.md"),
      closing: try read("Closing.md")
    )
    if !page.complaints.isEmpty { fail(page.complaints) }
    let file = folder.appendingPathComponent("Parity.md")
    if CommandLine.arguments.contains("--check") {
      guard (try? String(contentsOf: file, encoding: .utf8)) == text else {
        fail(["Documentation/Parity.md is not what Scripts/parity.sh writes; run it"])
      }
    } else {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  private static func fail(_ sentences: [String]) -> Never {
    for sentence in sentences { FileHandle.standardError.write(Data((sentence + "\n").utf8)) }
    exit(1)
  }
}
