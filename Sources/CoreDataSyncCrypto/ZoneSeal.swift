package import CoreDataSyncCore

/// A zone's description of its encryption: how its key was made, and how the right one is recognised.
///
/// The first device writes it before anything else, and it never changes. The server keeps the bytes, and lets in only
/// devices that have the same.
package struct ZoneSeal: Hashable, Sendable {
  /// Nil where the key is a random one, which travels in pairing codes.
  package let recipe: PassphraseRecipe?
  private let check: [UInt8]

  private static let version: UInt8 = 1
  private static let checkSize = 16

  package init(_ key: ZoneKey, _ recipe: PassphraseRecipe?) {
    self.recipe = recipe
    check = key.derived(.check, bytes: Self.checkSize)
  }

  /// Whether this is the key.
  package func fits(_ key: ZoneKey) -> Bool { check == key.derived(.check, bytes: Self.checkSize) }
}

extension ZoneSeal: WirePart {
  package func write(to writer: inout ByteWriter) {
    writer.write(Self.version)
    writer.write(UInt8(recipe == nil ? 0 : 1))
    if let recipe {
      writer.write(raw: recipe.salt)
      writer.write(recipe.operations)
      writer.write(recipe.memory)
    }
    writer.write(raw: check)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    guard try reader.number(UInt8.self) == Self.version else {
      throw reader.failure("The zone was encrypted by a newer version.")
    }
    switch try reader.number(UInt8.self) {
    case 0: recipe = nil
    case 1: recipe = try PassphraseRecipe(from: &reader)
    default: throw reader.failure("The zone was encrypted in a way that is not known.")
    }
    check = try reader.raw(Self.checkSize)
  }
}

extension PassphraseRecipe {
  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    salt = try reader.raw(Self.saltSize)
    operations = try reader.number()
    memory = try reader.number()
    guard Self.operationsAllowed.contains(operations), Self.memoryAllowed.contains(memory) else {
      throw reader.failure("The zone asks for more work on a passphrase than is done for anybody.")
    }
  }
}
