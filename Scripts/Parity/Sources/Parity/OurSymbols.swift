import Foundation

/// The public symbols of the modules, from the symbol graphs that the compiler writes.
struct OurSymbols {
  /// How often each path occurs: `NSManagedObjectContext.fetch(_:)`.
  private var counts: [String: Int] = [:]
  private var superclasses: [String: String] = [:]
  private var nested: [String: Set<String>] = [:]
  private var conformances: [String: Set<String>] = [:]

  /// What the compiler and the standard library add to a type that conforms, and no symbol graph lists.
  private static let derived: [String: Set<String>] = [
    "Swift.Collection": ["Index", "Indices", "Iterator", "SubSequence"],
    "Swift.Decodable": ["init(from:)"],
    "Swift.Encodable": ["encode(to:)"],
    "Swift.Equatable": ["==(_:_:)"],
    "Swift.Hashable": ["hash(into:)", "hashValue"],
    "Swift.Identifiable": ["ID"],
    "Swift.RawRepresentable": ["RawValue", "rawValue"],
  ]

  init(graphs folder: URL) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder,
      includingPropertiesForKeys: nil
    )
    for file in files.sorted(by: { $0.path < $1.path })
    where file.lastPathComponent.hasSuffix(".symbols.json") {
      try add(JSONDecoder().decode(Graph.self, from: Data(contentsOf: file)))
    }
  }

  private mutating func add(_ graph: Graph) {
    let names = Dictionary(
      graph.symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
      uniquingKeysWith: { one, _ in one }
    )
    for symbol in graph.symbols {
      counts[symbol.pathComponents.joined(separator: "."), default: 0] += 1
      guard let owner = symbol.pathComponents.dropLast().last else { continue }
      nested[owner, default: []].insert(symbol.pathComponents.joined(separator: "."))
    }
    for relationship in graph.relationships {
      guard let name = names[relationship.source] else { continue }
      let target = names[relationship.target]
      switch relationship.kind {
      case "inheritsFrom":
        superclasses[name] =
          target ?? relationship.targetFallback?.split(separator: ".").last.map(String.init)
      case "conformsTo":
        conformances[name, default: []].insert(target ?? relationship.targetFallback ?? "")
      case _: break
      }
    }
  }

  func has(type: String) -> Bool { counts[type] != nil }

  /// How many declarations a type has under a name: its own, inherited ones, those of protocols, and those of types
  /// within, unless Apple's list has these on their own.
  func count(of key: String, in type: String?, listed: Set<String>) -> Int {
    guard let type else { return counts[key] ?? 0 }
    var count = 0
    var seen: String? = type
    while let name = seen {
      count += counts["\(name).\(key)"] ?? 0
      for inner in nested[name] ?? [] where !listed.contains(inner) {
        count += counts["\(inner).\(key)"] ?? 0
      }
      seen = superclasses[name]
    }
    return count > 0 ? count : conforms(type, toProtocolWith: key) ? 1 : 0
  }

  private func conforms(_ type: String, toProtocolWith key: String) -> Bool {
    (conformances[type] ?? []).contains {
      counts["\($0).\(key)"] != nil || Self.derived[$0]?.contains(key) == true
    }
  }
}

/// The parts of a symbol graph that matter here.
private struct Graph: Decodable {
  let symbols: [Symbol]
  let relationships: [Relationship]

  struct Symbol: Decodable {
    let identifier: Identifier
    let pathComponents: [String]
  }

  struct Identifier: Decodable {
    let precise: String
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }
}
