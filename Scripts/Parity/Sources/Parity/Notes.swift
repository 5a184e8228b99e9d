/// People's remarks on symbols: how one differs, or why it is absent.
///
/// ```
/// NSPersistentContainer.defaultDirectoryURL(): the folder is the platform's
/// NSFoo: a whole type
/// NSBarKey: a global constant
/// NSBaz*: everything that begins so
/// NSFoo.bar(_:): ≈ another declaration has its place
/// ```
struct Notes {
  private var texts: [String: String] = [:]
  private var prefixes: [(prefix: String, text: String)] = []
  private var covered: Set<String> = []
  private(set) var unused: Set<String> = []

  init(_ text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let colon = line.range(of: ": ") else { continue }
      let name = String(line[..<colon.lowerBound])
      var text = String(line[colon.upperBound...])
      if text.hasPrefix("≈ ") {
        text.removeFirst(2)
        covered.insert(name)
      }
      unused.insert(name)
      if name.hasSuffix("*") {
        prefixes.append((String(name.dropLast()), text))
      } else {
        texts[name] = text
      }
    }
  }

  /// Whether code that uses this symbol compiles, although it is declared in another way here.
  func cover(_ name: String) -> Bool { covered.contains(name) }

  mutating func note(on name: String) -> String? {
    if let text = texts[name] {
      unused.remove(name)
      return text
    }
    for (prefix, text) in prefixes where name.hasPrefix(prefix) {
      unused.remove(prefix + "*")
      return text
    }
    return nil
  }
}
