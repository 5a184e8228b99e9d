import CoreDataModel
public import Foundation

/// Short names for objects in URLs, which say nothing about the store and cannot be guessed.
///
/// ```swift
/// let code = ObjectIDCode(key: Data("a secret of your program".utf8))
/// let name = try code.name(of: note.objectID)
/// if let id = code.objectID(of: name, in: coordinator) {
///   print(try context.existingObject(with: id))
/// }
/// ```
///
/// A name has 26 lower-case letters and digits, such as `3v8n1qk0c7d2g9m4x5z6h8jw0t`. It contains the store, the
/// entity and the number of the object, encrypted with the key. The same object always has the same name, also after a
/// restart and in another process, as long as the key, the store's identifier and the entity's name (or renaming identifier)
/// stay. A name with a wrong letter, or with another key, is noticed.
///
/// A name does not permit anything: check whether the client may see the object.
public struct ObjectIDCode: Sendable {
  private let key: [UInt8]

  /// Creates a code.
  ///
  /// - Parameter key: A secret of your program, from 16 bytes on. An empty or shorter key is accepted, and makes names that
  ///   others can guess.
  public init(key: Data) {
    self.key = Array(key)
  }
}

// MARK: - Names

extension ObjectIDCode {
  /// Returns the name of an object.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameter id: The identifier of an object that was saved.
  /// - Returns: The name.
  /// - Throws: 134030 if the identifier is temporary, or belongs to a store that its coordinator does not have any more.
  public func name(of id: NSManagedObjectID) throws -> String {
    guard !id.isTemporaryID, let store = id.persistentStore, let identifier = store.identifier
    else {
      throw FailureText(
        description: "The object does not have a name yet.",
        reason: "\(id.uriRepresentation()) is temporary, or its store is closed.",
        suggestion: "Save the object first, or call obtainPermanentIDs(for:)."
      ).error(code: NSPersistentStoreSaveError)
    }
    let place = Place(number: id.key.number, tag: tag(of: id.entity, in: identifier))
    return Self.text(of: permuted(place))
  }

  /// Returns the identifier of the object that has a name.
  ///
  /// Runs no SQL statement. The object may have been deleted: `existingObject(with:)` then throws 133000.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameters:
  ///   - name: A name from outside.
  ///   - coordinator: The coordinator whose stores may have the object.
  /// - Returns: The identifier, or `nil` if this code has not made the name for one of the stores.
  public func objectID(
    of name: String,
    in coordinator: NSPersistentStoreCoordinator
  ) -> NSManagedObjectID? {
    guard let block = Self.block(of: name), let place = restored(block), place.number > 0 else {
      return nil
    }
    for store in coordinator.persistentStores {
      guard let identifier = store.identifier else { continue }
      for entity in coordinator.managedObjectModel.entities
      where tag(of: entity, in: identifier) == place.tag {
        let address = "x-coredata://\(identifier)/\(entity.name ?? "")/p\(place.number)"
        return URL(string: address).flatMap(coordinator.managedObjectID(forURIRepresentation:))
      }
    }
    return nil
  }

  /// The store and the entity in 32 bits.
  private func tag(of entity: NSEntityDescription, in store: String) -> UInt32 {
    let name = entity.renamingIdentifier ?? entity.name ?? ""
    let digest = SHA256.digest(of: key + Array("\(store)/\(name)".utf8))
    return digest.prefix(4).reduce(0) { ($0 << 8) | UInt32($1) }
  }
}

// MARK: - The permutation

extension ObjectIDCode {
  /// The contents of a name, besides 32 bits that are zero.
  private struct Place {
    let number: Int64
    let tag: UInt32
  }

  private typealias Block = (left: UInt64, right: UInt64)

  private static let rounds: UInt8 = 8

  /// A Feistel network over 128 bits, whose rounds are SHA-256 with the key.
  private func permuted(_ place: Place) -> Block {
    var (left, right) = (UInt64(bitPattern: place.number), UInt64(place.tag) << 32)
    for round in 0..<Self.rounds { (left, right) = (right, left ^ hash(right, round)) }
    return (left, right)
  }

  private func restored(_ block: Block) -> Place? {
    var (left, right) = block
    for round in (0..<Self.rounds).reversed() {
      (left, right) = (right ^ hash(left, round), left)
    }
    // With another key, or after a wrong letter, these bits are as good as random.
    guard right & 0xFFFF_FFFF == 0 else { return nil }
    return Place(number: Int64(bitPattern: left), tag: UInt32(right >> 32))
  }

  private func hash(_ half: UInt64, _ round: UInt8) -> UInt64 {
    let message = key + [round] + (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * $0)) }
    return SHA256.digest(of: message).prefix(8).reduce(0) { ($0 << 8) | UInt64($1) }
  }
}

// MARK: - Letters

extension ObjectIDCode {
  /// Crockford's Base32: no letters that look like others.
  private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// How many letters 128 bits have: the first one has three of them.
  private static let length = 26

  private static func text(of block: Block) -> String {
    var (left, right) = block
    var text: [UInt8] = []
    for _ in 0..<length {
      text.append(letters[Int(right & 31)])
      right = (right >> 5) | (left << 59)
      left >>= 5
    }
    return String(decoding: text.reversed(), as: UTF8.self)
  }

  private static func block(of text: String) -> Block? {
    guard text.utf8.count == length else { return nil }
    var (left, right): Block = (0, 0)
    for letter in text.utf8 {
      guard let value = letters.firstIndex(of: letter), left >> 59 == 0 else { return nil }
      left = (left << 5) | (right >> 59)
      right = (right << 5) | UInt64(value)
    }
    return (left, right)
  }
}
