/// A Swift source file that was generated.
package struct SwiftFile: Hashable, Sendable {
  package let name: String
  /// The modules it imports; CoreData brings Foundation along.
  package let imports: Set<String>
  /// Everything below the imports.
  package let body: String

  /// The whole file, for a model in a file of the given name.
  ///
  /// A file that is kept belongs to the person who asked for it, and no build overwrites it.
  package func text(from model: String, isKept: Bool = false) -> String {
    let imports = imports.sorted().map { "public import \($0)" }.joined(separator: "\n")
    let banner = isKept ? keptBanner(model) : Self.banner(model)
    return [banner, imports, body].filter { !$0.isEmpty }.joined(separator: "\n\n")
      + "\n"
  }

  /// Whether it is a place for methods of one's own: all but files of properties.
  package var holdsOwnCode: Bool { !name.hasSuffix("+CoreDataProperties.swift") }

  private func keptBanner(_ model: String) -> String {
    """
    // Made from \(model) by coredata model generate, to be kept and changed.
    // To generate once more \(holdsOwnCode ? "leaves it as it is, unless with --force" : "writes over it").
    """
  }

  /// The beginning of a file that each build writes again.
  static func banner(_ model: String) -> String {
    """
    // Made from \(model) by the CoreDataModels plugin.
    // Do not edit: the next build writes it anew. Change the model instead.
    """
  }
}

// MARK: - One for all

extension SwiftFile {
  /// All files in one.
  package init(joining files: [SwiftFile], named name: String) {
    self.name = name
    self.imports = files.reduce(into: []) { $0.formUnion($1.imports) }
    self.body = files.map { "// MARK: - \($0.name)\n\n\($0.body)" }.joined(separator: "\n\n")
  }
}
