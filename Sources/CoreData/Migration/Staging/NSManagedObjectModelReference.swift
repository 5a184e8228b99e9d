import CoreDataModel
public import Foundation
import Synchronization

/// A reference to a version of a model, which is loaded when it is needed.
///
/// ```swift
/// NSManagedObjectModelReference(name: "Notes 2", in: nil, versionChecksum: "kk8XL4OkE7gYLFH…")
/// ```
///
/// The checksum identifies the version; see ``NSManagedObjectModel/versionChecksum``.
nonisolated open class NSManagedObjectModelReference: NSObject {
  /// The checksum of the version.
  public let versionChecksum: String
  private let place: Place
  private let resolved = Mutex<NSManagedObjectModel?>(nil)

  fileprivate enum Place {
    case model(NSManagedObjectModel)
    case file(URL)
    case name(String, Bundle?)
    case hashes([String: Data], Bundle?)
  }

  private init(_ place: Place, _ checksum: String) {
    self.place = place
    versionChecksum = checksum
    super.init()
  }

  /// Creates a reference to a model in memory.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - versionChecksum: The checksum of the version.
  public convenience init(model: NSManagedObjectModel, versionChecksum: String) {
    self.init(.model(model), versionChecksum)
  }

  /// Creates a reference to a version of a model in a file.
  ///
  /// - Parameters:
  ///   - fileURL: The location of a `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`.
  ///   - versionChecksum: The checksum of the version.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(.file(fileURL), versionChecksum)
  }

  /// Creates a reference to a version of a model in a bundle.
  ///
  /// - Parameters:
  ///   - modelName: The name of the version, or of a model with several versions.
  ///   - bundle: The bundle in which to search, or `nil` for those of the program.
  ///   - versionChecksum: The checksum of the version.
  public convenience init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    self.init(.name(modelName, bundle), versionChecksum)
  }

  /// Creates a reference to the version of a model whose entities have certain version hashes.
  ///
  /// - Parameters:
  ///   - versionHash: The version hashes by entity name.
  ///   - bundle: The bundle in which to search, or `nil` for those of the program.
  ///   - versionChecksum: The checksum of the version.
  public convenience init(
    entityVersionHashes versionHash: [AnyHashable: Any],
    in bundle: Bundle?,
    versionChecksum: String
  ) {
    var hashes: [String: Data] = [:]
    for (name, hash) in versionHash {
      if let name = name.base as? String, let hash = hash as? Data { hashes[name] = hash }
    }
    self.init(.hashes(hashes, bundle), versionChecksum)
  }

  /// The model.
  ///
  /// The program stops if the model cannot be found or has another checksum. A migration that needs
  /// it throws 134504 instead.
  open var resolvedModel: NSManagedObjectModel {
    do {
      return try resolve()
    } catch {
      stop(error.sentence)
    }
  }
}

// MARK: - Resolving

extension NSManagedObjectModelReference {
  /// Finds the model, once.
  func resolve() throws(StagingFailure) -> NSManagedObjectModel {
    if let known = resolved.withLock({ $0 }) { return known }
    guard let model = find() else {
      throw .missingModel(place: place.words, checksum: versionChecksum, found: others)
    }
    resolved.withLock { $0 = model }
    return model
  }

  private func find() -> NSManagedObjectModel? {
    if case .model(let model) = place {
      return model.versionChecksum == versionChecksum ? model : nil
    }
    return candidates.first { $0.schema.versionChecksum == versionChecksum }
      .map { NSManagedObjectModel(schema: $0.schema) }
  }

  /// The checksums of what is there instead.
  private var others: [String] {
    if case .model(let model) = place { return [model.versionChecksum] }
    return candidates.map(\.schema.versionChecksum)
  }

  private var candidates: [CompiledModel.Version] {
    switch place {
    case .model: []
    // A file that cannot be read does not have a version; the error says that it was not found there.
    case .file(let url): (try? ModelFile.versions(in: url)) ?? []
    case .name(let name, let bundle):
      Self.models(in: bundle).flatMap { model in
        model.name == name ? model.versions : model.versions.filter { $0.name == name }
      }
    case .hashes(let hashes, let bundle):
      Self.models(in: bundle).flatMap(\.versions)
        .filter { $0.schema.entityVersionHashes == hashes }
    }
  }

  private static func models(in bundle: Bundle?) -> [CompiledModel] {
    // A file that cannot be read does not have a version; the error says that it was not found there.
    ModelFile.compiled(in: [bundle ?? .main]).compactMap { try? CompiledModel(contentsOf: $0) }
  }
}

extension NSManagedObjectModelReference.Place {
  /// The place in which the model was expected.
  fileprivate var words: String {
    switch self {
    case .model: "the model that was passed"
    case .file(let url): url.path
    case .name(let name, let bundle): "\(name) in \((bundle ?? .main).bundlePath)"
    case .hashes(_, let bundle): "the models in \((bundle ?? .main).bundlePath)"
    }
  }
}
