import Foundation

/// `Parity <graphs> <documentation>` writes the pages; with `--check` it says whether they are up to date.
@main
struct Parity {
  private let ours: OurSymbols
  private let folder: URL

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--check" }
    guard let graphs = arguments.first, let documentation = arguments.dropFirst().first else {
      fail(["usage: Parity [--check] <folder of symbol graphs> <Documentation>"])
    }
    let parity = Parity(
      ours: try OurSymbols(graphs: URL(fileURLWithPath: graphs)),
      folder: URL(fileURLWithPath: documentation)
    )
    for prefix in ["", "SwiftData"] { try parity.writePage(prefix) }
  }

  /// Writes or checks one page, made of the texts whose names begin with the same prefix.
  private func writePage(_ prefix: String) throws {
    let read = { (name: String) in
      try String(
        contentsOf: folder.appendingPathComponent("Parity/\(prefix)\(name)"),
        encoding: .utf8
      )
    }
    var page = Page(ours, notes: Notes(try read("Notes.txt")), from: "\(prefix)Notes.txt")
    let text = page.text(
      for: AppleSymbols(try read("Symbols.txt")),
      introduction: try read("Introduction.md"),
      closing: try read("Closing.md")
    )
    if !page.complaints.isEmpty { Self.fail(page.complaints) }
    let file = folder.appendingPathComponent("\(prefix)Parity.md")
    if CommandLine.arguments.contains("--check") {
      guard (try? String(contentsOf: file, encoding: .utf8)) == text else {
        Self.fail(["Documentation/\(prefix)Parity.md is not what Scripts/parity.sh writes; run it"])
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
