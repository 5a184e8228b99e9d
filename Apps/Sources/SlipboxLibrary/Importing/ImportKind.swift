import Foundation

/// The role of a file among others, by its path.
enum ImportKind {
  case note(any NoteFormat)
  /// A file that a note may speak of.
  case attachment
  /// Files that programs and systems keep for themselves.
  case hidden

  init(path: String) {
    let parts = path.split(separator: "/")
    let isHidden = parts.contains {
      $0.hasPrefix(".") || ["__MACOSX", "Thumbs.db", "desktop.ini"].contains($0)
    }
    if isHidden {
      self = .hidden
      return
    }
    if let bundle = parts.dropLast().firstIndex(where: { $0.lowercased().hasSuffix(".textbundle") })
    {
      self = Self.inBundle(parts[(bundle + 1)...])
    } else {
      self = NoteFormats.format(of: path).map(Self.note) ?? .attachment
    }
  }

  var isHidden: Bool { if case .hidden = self { true } else { false } }

  /// A bundle is one note, `text.…`; its other files belong to that, texts too.
  private static func inBundle(_ path: ArraySlice<Substring>) -> ImportKind {
    if path.elementsEqual(["info.json"]) { return .hidden }
    guard path.count == 1, let name = path.first, ImportPath.stem(of: name).lowercased() == "text",
      let format = NoteFormats.format(of: name)
    else { return .attachment }
    // Bear has called its Markdown `text.txt`.
    return .note(format is PlainTextFormat ? MarkdownFormat() : format)
  }
}

/// Paths of files, as texts and archives have them.
enum ImportPath {
  /// The bytes that a path may have; no system makes longer ones of what people write.
  static let longest = 2_000

  /// In lower case, without the dot.
  static func ending(of path: some StringProtocol) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  static func name(of path: some StringProtocol) -> String {
    String(path).split(separator: "/").last.map { String($0) } ?? ""
  }

  /// The name without its ending.
  static func stem(of path: some StringProtocol) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The path of the folder; empty for the outermost.
  static func folder(of path: some StringProtocol) -> String {
    String(path).split(separator: "/").dropLast().joined(separator: "/")
  }

  /// The path that an address means, seen from a folder: `../pictures/A%20tree.png#page` from `Reading`.
  static func resolved(_ address: String, from folder: String) -> String {
    let plain = String(address.prefix { $0 != "#" && $0 != "?" }).replacing("\\", with: "/")
    let decoded = plain.removingPercentEncoding ?? plain
    var parts = decoded.hasPrefix("/") ? [] : folder.split(separator: "/").map(String.init)
    for part in decoded.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/").precomposedStringWithCanonicalMapping
  }
}
