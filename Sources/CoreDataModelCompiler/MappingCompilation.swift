package import CoreDataModel
import CoreDataModelChanges
package import Foundation

/// One run of the compiler for a mapping model: Xcode's source in, a file for the program out.
///
/// ```
/// Notes 1-2.xcmappingmodel ─▶ Notes 1-2.cdm
/// ```
///
/// The source has copies of both models, as they were when the mapping model was made. The file has the version hashes of
/// the versions that the target's models have now, if the mappings are between two of them.
package struct MappingCompilation: Hashable, Sendable {
  package let mapping: URL
  package let output: URL
  /// Models whose versions the mappings may be between.
  package let models: [URL]

  package init(mapping: URL, output: URL, models: [URL]) {
    self.mapping = mapping
    self.output = output
    self.models = models
  }

  /// Writes the file.
  ///
  /// - Returns: A warning if none of the models' versions are those of the mappings.
  package func run() throws -> [ModelProblem] {
    let source = try MappingSource(contentsOf: mapping)
    let copies = source.models
    let versions = versions(of: source, copies)
    guard let models = versions ?? copies else {
      throw ModelError(
        problem(.error, "its copies of the models cannot be read, and \(Self.lack)")
      )
    }
    try write(source.schema(from: models.source, to: models.destination))
    if versions != nil { return [] }
    return [problem(.warning, "\(Self.lack); its copies of the models were used")]
  }

  private static let lack = "no two versions of the target's models have the names of the mappings"

  private func write(_ schema: MappingSchema) throws {
    let data: Data
    do {
      data = try schema.compiled()
    } catch {
      throw ModelError(problem(.error, "the mapping model cannot be written: \(error)"))
    }
    // A file that says the same already is left alone, so that nothing is copied again for it.
    guard FileManager.default.contents(atPath: output.path) != data else { return }
    try data.write(to: output, options: .atomic)
  }

  /// The versions between which the mappings are, best those of the copies in the file.
  private func versions(
    of source: MappingSource,
    _ copies: (source: ModelSchema, destination: ModelSchema)?
  ) -> (source: ModelSchema, destination: ModelSchema)? {
    // A model that cannot be read is an error of its own compilation.
    let schemas = models.compactMap { try? ModelSource(contentsOf: $0) }
      .flatMap { $0.versions.map(\.schema) }
    let pairs = schemas.flatMap { old in schemas.map { (source: old, destination: $0) } }
      .filter { source.fits(from: $0.source, to: $0.destination) }
    let same = pairs.first { pair in
      pair.source.entityVersionHashes == copies?.source.entityVersionHashes
        && pair.destination.entityVersionHashes == copies?.destination.entityVersionHashes
    }
    return same ?? pairs.first
  }

  private func problem(_ severity: ModelProblem.Severity, _ message: String) -> ModelProblem {
    ModelProblem(severity, file: mapping.path, message: message)
  }
}
