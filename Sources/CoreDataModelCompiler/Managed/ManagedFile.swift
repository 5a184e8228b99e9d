package import CoreDataSwiftCode

/// The file with the accessors of all `@NSManaged` members of a module.
package struct ManagedFile: Hashable, Sendable {
  package let text: String
  /// The symbols that the file defines, in the order of the members.
  package let symbols: [String]
  /// The members that cannot be served, by file, line and column, as the compiler writes them.
  package let errors: [String]
  package let warnings: [String]

  /// Makes the file for the members in a module's files.
  package init(
    of files: [SwiftSourceFile],
    types directory: TypeDirectory,
    models: ManagedModels
  ) {
    var writer = ManagedFileWriter(module: directory.module)
    for file in files {
      let maker = ManagedAccessorMaker(directory: directory, models: models, file: file)
      for (number, member) in file.declarations.members.enumerated() {
        writer.add(member, of: file, from: maker, number: number)
      }
    }
    text = writer.text
    symbols = writer.symbols
    errors = writer.errors
    warnings = writer.warnings
  }
}

/// Collects accessors and writes them by class.
private struct ManagedFileWriter {
  let module: String
  var symbols: [String] = []
  var errors: [String] = []
  var warnings: [String] = []
  /// The extensions, one for each class and file; with the condition of the `#if` around it.
  private var parts: [(place: String, condition: String?, functions: [String])] = []
  private var imports: Set<String> = []
  private var publicImports: Set<String> = []

  init(module: String) {
    self.module = module
  }

  mutating func add(
    _ member: ManagedMember,
    of file: SwiftSourceFile,
    from maker: ManagedAccessorMaker,
    number: Int
  ) {
    do throws(UnresolvedType) {
      let accessor = try maker.accessor(of: member, number: number)
      if let warning = maker.warning(for: member) {
        warnings.append(Self.located(member, file, "warning", warning))
      }
      note(accessor)
      let place = member.place.names.joined(separator: ".")
      if let last = parts.last, last.place == place, last.condition == member.condition {
        parts[parts.count - 1].functions += accessor.functions
      } else {
        parts.append((place, member.condition, accessor.functions))
      }
    } catch {
      errors.append(
        Self.located(member, file, "error", "'\(member.name)' cannot be managed: \(error.reason)")
      )
    }
  }

  private mutating func note(_ accessor: ManagedAccessor) {
    symbols += accessor.symbols
    for module in accessor.modules where module != self.module && module != "Swift" {
      let module = module == "FoundationEssentials" ? "Foundation" : module
      if accessor.isPublic { publicImports.insert(module) } else { imports.insert(module) }
    }
  }

  private static func located(
    _ member: ManagedMember,
    _ file: SwiftSourceFile,
    _ kind: String,
    _ text: String
  ) -> String {
    "\(file.path):\(member.line):\(member.column): \(kind): \(text)"
  }
}

// MARK: - Text

extension ManagedFileWriter {
  var text: String {
    let extensions = parts.map { part in
      let text = """
        extension \(part.place) {
        \(part.functions.joined(separator: "\n\n"))
        }
        """
      return part.condition.map { "#if \($0)\n\(text)\n#endif" } ?? text
    }
    return ([banner] + (parts.isEmpty ? [] : [importLines]) + extensions)
      .joined(separator: "\n\n") + "\n"
  }

  private var banner: String {
    """
    // The accessors of the properties and methods of module \(module) that carry @NSManaged, made by the
    // CoreDataModels plugin. Do not edit: the next build writes them anew.
    """
  }

  private var importLines: String {
    imports.union(publicImports).union(["CoreData", "Foundation"]).sorted()
      .map { publicImports.contains($0) ? "public import \($0)" : "import \($0)" }
      .joined(separator: "\n")
  }
}

extension ManagedAccessorMaker {
  /// The warning about a member that is dubious but can be served.
  fileprivate func warning(for member: ManagedMember) -> String? {
    guard case .property = member.shape,
      let entity = models.entity(
        of: "\(directory.module).\(member.place.names.joined(separator: "."))"
      ),
      entity.property(member.name) == nil, !member.name.hasPrefix("primitive")
    else { return nil }
    return """
      entity '\(entity.name)' has no property '\(member.name)'; to use it stops the program; add it to \
      the model, or remove it from the class
      """
  }
}
