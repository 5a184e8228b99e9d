package import CoreData
import Foundation

/// The identity of a model, which can be passed to other threads, stored and sent.
///
/// It is temporary until the model is saved. As JSON it is what Apple's framework writes. An identifier that was decoded
/// equals the one that was encoded.
public struct PersistentIdentifier: Hashable, Sendable {
  private let source: Source

  private enum Source: Sendable {
    case object(NSManagedObjectID)
    case decoded(Parts)
  }

  /// The parts of an identifier's encoded form.
  private struct Parts: Codable, Hashable, Sendable {
    let primaryKey: String
    let uriRepresentation: URL
    let isTemporary: Bool
    let storeIdentifier: String?
    let entityName: String
  }

  package init(_ id: NSManagedObjectID) { source = .object(id) }

  /// The name of the model's entity.
  public var entityName: String {
    switch source {
    case .object(let id): id.entity.name ?? ""
    case .decoded(let parts): parts.entityName
    }
  }

  /// The UUID of the model's store, or `nil` before the model is saved.
  public var storeIdentifier: String? {
    switch source {
    case .object(let id): id.isTemporaryID ? nil : uri.host
    case .decoded(let parts): parts.storeIdentifier
    }
  }

  var isTemporary: Bool {
    switch source {
    case .object(let id): id.isTemporaryID
    case .decoded(let parts): parts.isTemporary
    }
  }

  var uri: URL {
    switch source {
    case .object(let id): id.uriRepresentation()
    case .decoded(let parts): parts.uriRepresentation
    }
  }

  /// Core Data's identity, as a coordinator knows it; `nil` if it does not have the store.
  package func objectID(in coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectID? {
    switch source {
    case .object(let id): id
    case .decoded(let parts):
      coordinator.managedObjectID(forURIRepresentation: parts.uriRepresentation)
    }
  }

  /// Core Data's identity, if the identifier is one of this process.
  var knownObjectID: NSManagedObjectID? {
    if case .object(let id) = source { id } else { nil }
  }

  public static func == (one: PersistentIdentifier, other: PersistentIdentifier) -> Bool {
    if case .object(let id) = one.source, case .object(let otherID) = other.source, id == otherID {
      return true
    }
    return one.uri == other.uri
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(uri) }

  /// Returns an identifier of its parts.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The UUID of the store.
  ///   - entityName: The name of the entity.
  ///   - primaryKey: The number of the model's row: `7`, `"7"` or `"p7"`.
  /// - Returns: The identifier.
  /// - Throws: ``SwiftDataError/unknownSchema`` if the parts are not those of an identifier.
  public static func identifier<Key>(
    for storeIdentifier: String,
    entityName: String,
    primaryKey: Key
  ) throws -> PersistentIdentifier
  where Key: Comparable, Key: CustomStringConvertible, Key: Codable, Key: Hashable {
    let text = primaryKey.description
    let number = Int64(text.hasPrefix("p") ? String(text.dropFirst()) : text)
    guard let number, number > 0,
      let uri = URL(string: "x-coredata://\(storeIdentifier)/\(entityName)/p\(number)")
    else {
      throw SwiftDataError.unknownSchema.because(
        "\(entityName) \(text) in the store \(storeIdentifier) is no identity; the key is a number, such as p7"
      )
    }
    let parts = Parts(
      primaryKey: "p\(number)",
      uriRepresentation: uri,
      isTemporary: false,
      storeIdentifier: storeIdentifier,
      entityName: entityName
    )
    return PersistentIdentifier(source: .decoded(parts))
  }

  private init(source: Source) { self.source = source }
}

extension PersistentIdentifier: Codable {
  private enum CodingKeys: CodingKey {
    case implementation
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    source = .decoded(try container.decode(Parts.self, forKey: .implementation))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let parts = Parts(
      primaryKey: uri.lastPathComponent,
      uriRepresentation: uri,
      isTemporary: isTemporary,
      storeIdentifier: storeIdentifier,
      entityName: entityName
    )
    try container.encode(parts, forKey: .implementation)
  }
}

extension PersistentIdentifier: Comparable {
  /// Returns whether one identifier is before another: by store, entity and number of the row.
  ///
  /// Identifiers of models that were never saved come last. The order of two of them is the same in one process only.
  public static func < (one: PersistentIdentifier, other: PersistentIdentifier) -> Bool {
    one.place < other.place
  }

  private var place: (Int, String, String, Int64, String) {
    let key = uri.lastPathComponent
    let number = isTemporary ? nil : Int64(key.dropFirst())
    return (isTemporary ? 1 : 0, storeIdentifier ?? "", entityName, number ?? .max, key)
  }
}

extension PersistentIdentifier: Identifiable {
  /// The identifier itself.
  public var id: PersistentIdentifier { self }
}

extension PersistentIdentifier: CustomStringConvertible {
  /// The identity as a URI.
  public var description: String { "PersistentIdentifier(\(uri.absoluteString))" }
}
