import CoreDataModel
import CoreDataSwiftCode
package import Foundation

/// One run of the compiler for the `@NSManaged` members of a module: Swift files in, one Swift file out.
package struct ManagedCompilation: Hashable, Sendable {
  package let module: String
  package let output: URL
  package let sources: [URL]
  /// The models of the module and of those that it depends on.
  package let models: [Part]
  /// The Swift files of the modules that this one depends on.
  package let dependencies: [Part]

  /// A file and the module that it belongs to.
  package struct Part: Hashable, Sendable {
    package let module: String
    package let location: URL

    package init(module: String, location: URL) {
      self.module = module
      self.location = location
    }
  }

  package init(
    module: String,
    output: URL,
    sources: [URL],
    models: [Part],
    dependencies: [Part]
  ) {
    self.module = module
    self.output = output
    self.sources = sources
    self.models = models
    self.dependencies = dependencies
  }

  /// Writes the file; if no member is managed, only a comment, without reading any further.
  ///
  /// - Returns: Warnings.
  package func run() throws -> [String] {
    let texts = try sources.map { (path: $0.path, data: try Data(contentsOf: $0)) }
    let attribute = Data("@NSManaged".utf8)
    let isNeeded = texts.contains { $0.data.range(of: attribute) != nil }
    let file =
      isNeeded
      ? try self.file(of: texts.map { SwiftSourceFile([UInt8]($0.data), path: $0.path) })
      : ManagedFile(of: [], types: TypeDirectory(module: module), models: ManagedModels())
    guard file.errors.isEmpty else { throw ManagedProblems(lines: file.errors) }
    try write(file.text)
    return file.warnings
  }

  private func file(of files: [SwiftSourceFile]) throws -> ManagedFile {
    var directory = TypeDirectory(module: module)
    for file in files { directory.add(file.declarations, of: module) }
    var models = ManagedModels()
    for part in self.models {
      // The model's own build reports its problems.
      guard let source = try? ModelSource(contentsOf: part.location) else { continue }
      models.add(source.current, of: part.module)
      for name in ManagedModels.generatedClasses(of: source.current, in: part.module) {
        directory.add(generatedClass: name, of: part.module)
      }
    }
    for part in dependencies {
      let bytes = [UInt8](try Data(contentsOf: part.location))
      directory.add(
        SwiftSourceFile(bytes, path: part.location.path).declarations,
        of: part.module
      )
    }
    return ManagedFile(of: files, types: directory, models: models)
  }

  /// Leaves a file alone that says the same already, so that nothing is compiled again for it.
  private func write(_ text: String) throws {
    let data = Data(text.utf8)
    guard (try? Data(contentsOf: output)) != data else { return }
    try data.write(to: output, options: .atomic)
  }
}

/// Errors by file, line and column.
package struct ManagedProblems: Error, Hashable, CustomStringConvertible {
  package let lines: [String]

  package var description: String { lines.joined(separator: "\n") }
}

extension ManagedModels {
  /// The classes of a model that the plugin writes.
  static func generatedClasses(of schema: ModelSchema, in module: String) -> [String] {
    schema.entities.filter { $0.codeGeneration == .classDefinition }.compactMap { entity in
      let name = ClassName(entity.className, in: module)
      return name.isManagedObject || name.module != nil ? nil : name.path
    }
  }
}
