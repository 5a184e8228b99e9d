import CoreDataCSodium
package import CoreDataSyncCore
import Foundation

/// The library, which chooses once what this processor does best.
enum Sodium {
  static let isReady = sodium_init() >= 0
}

extension ZoneKey {
  /// A key that nobody has.
  package static func random() -> ZoneKey {
    precondition(Sodium.isReady, "libsodium has random numbers")
    var bytes = [UInt8](repeating: 0, count: size)
    randombytes_buf(&bytes, bytes.count)
    guard let key = ZoneKey(bytes) else { preconditionFailure("a key has as many bytes as it has") }
    return key
  }

  /// The key that belongs to a passphrase; takes a moment, and as much memory as the recipe
  /// demands.
  package init(passphrase: String, _ recipe: PassphraseRecipe) throws(OutOfMemory) {
    // The same word, whichever way a keyboard composes its letters.
    let text = passphrase.precomposedStringWithCanonicalMapping
    precondition(Sodium.isReady, "libsodium has random numbers")
    var bytes = [UInt8](repeating: 0, count: Self.size)
    let result = crypto_pwhash(
      &bytes,
      UInt64(bytes.count),
      text,
      UInt64(text.utf8.count),
      recipe.salt,
      UInt64(recipe.operations),
      Int(recipe.memory),
      crypto_pwhash_alg_argon2id13()
    )
    guard result == 0, let key = ZoneKey(bytes) else { throw OutOfMemory() }
    self = key
  }

  /// There is not enough memory to make a key of a passphrase.
  package struct OutOfMemory: Error {}

  enum Purpose: UInt64 {
    case payload = 1
    case nonce = 2
    case identity = 3
    case property = 4
    case check = 5
  }

  /// Bytes that are derived from the key and reveal nothing of it.
  func derived(_ purpose: Purpose, bytes count: Int) -> [UInt8] {
    precondition(Sodium.isReady, "libsodium has random numbers")
    var result = [UInt8](repeating: 0, count: count)
    let context = "CDZoneK1".utf8.map { CChar(bitPattern: $0) }
    crypto_kdf_derive_from_key(&result, count, purpose.rawValue, context, bytes)
    return result
  }
}

/// How a key is made of a passphrase: Argon2id with a salt, so often, and with so much memory.
package struct PassphraseRecipe: Hashable, Sendable {
  package let salt: [UInt8]
  package let operations: UInt32
  /// In bytes.
  package let memory: UInt32

  static let saltSize = 16
  /// The limits for recipes, which come from a server.
  static let operationsAllowed: ClosedRange<UInt32> = 1...16
  static let memoryAllowed: ClosedRange<UInt32> = 8_192...(1 << 30)

  /// A new recipe: a tenth of a second and 64 MB.
  package static func random() -> PassphraseRecipe {
    precondition(Sodium.isReady, "libsodium has random numbers")
    var salt = [UInt8](repeating: 0, count: saltSize)
    randombytes_buf(&salt, salt.count)
    return PassphraseRecipe(salt: salt, operations: 3, memory: 64 << 20)
  }
}
