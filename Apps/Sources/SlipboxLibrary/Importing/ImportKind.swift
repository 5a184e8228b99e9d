import Foundation

/// What a file among others is for, by its path.
enum ImportKind: Equatable {
  case note(NoteFormat)
  /// A file that a note may speak of.
  case attachment
  /// What programs and systems keep for themselves.
  case hidden

  enum NoteFormat: Equatable {
    case markdown, html, plainText, rtf, evernote
  }

  init(path: String) {
    let parts = path.split(separator: "/")
    let isHidden = parts.contains {
      $0.hasPrefix(".") || ["__MACOSX", "Thumbs.db", "desktop.ini"].contains($0)
    }
    if isHidden {
      self = .hidden
      return
    }
    let isInBundle = parts.dropLast().contains { $0.lowercased().hasSuffix(".textbundle") }
    switch ImportPath.ending(of: path) {
    case "md", "markdown", "mdown": self = .note(.markdown)
    case "txt", "text": self = .note(.plainText)
    case "html", "htm": self = isInBundle ? .attachment : .note(.html)
    case "rtf": self = .note(.rtf)
    case "enex": self = .note(.evernote)
    case "json" where isInBundle && parts.last == "info.json": self = .hidden
    default: self = .attachment
    }
  }
}

/// Paths of files, as texts and archives have them.
enum ImportPath {
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
