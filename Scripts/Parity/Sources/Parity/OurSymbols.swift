import Foundation

/// The public symbols of the module, from the symbol graphs that the compiler writes.
struct OurSymbols {
  /// How often each path occurs: `NSManagedObjectContext.fetch(_:)`.
  private var counts: [String: Int] = [:]
  private var superclasses: [String: String] = [:]
  private var nested: [String: Set<String>] = [:]

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
    for relationship in graph.relationships where relationship.kind == "inheritsFrom" {
      guard let name = names[relationship.source] else { continue }
      superclasses[name] =
        names[relationship.target]
        ?? relationship.targetFallback?.split(separator: ".").last.map(String.init)
    }
  }

  func has(type: String) -> Bool { counts[type] != nil }

  /// How many declarations a type has under a name: its own, inherited ones, and those of types within.
  func count(of key: String, in type: String?) -> Int {
    guard let type else { return counts[key] ?? 0 }
    var count = 0
    var seen: String? = type
    while let name = seen {
      count += counts["\(name).\(key)"] ?? 0
      for inner in nested[name] ?? [] { count += counts["\(inner).\(key)"] ?? 0 }
      seen = superclasses[name]
    }
    return count
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
