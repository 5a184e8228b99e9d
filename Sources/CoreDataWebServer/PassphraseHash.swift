import CoreDataCSodium
import CoreDataStrictJSON
import Foundation

/// A hash by which a passphrase is recognized, and from which it cannot be computed: Argon2id with a salt, as libsodium writes it.
///
///     $argon2id$v=19$m=65536,t=2,p=1$SALT$HASH
///
/// To make and to check one takes about a tenth of a second, and 64 MB.
public struct PassphraseHash: Sendable, Equatable {
  /// The hash with its salt and its costs.
  public let text: String

  /// The limits for a hash that comes from a file: 1 GB, 16 times.
  private static let (mostMemory, mostOperations) = (1 << 20, 16)

  /// Makes the hash of a passphrase, with a new salt.
  ///
  /// - Throws: A `Problem` if there is not enough memory.
  public init(of passphrase: String) throws(Problem) {
    precondition(sodium_init() >= 0, "libsodium has random numbers")
    let words = Self.composed(passphrase)
    var bytes = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
    let result = crypto_pwhash_str(
      &bytes,
      words,
      UInt64(words.utf8.count),
      UInt64(crypto_pwhash_opslimit_interactive()),
      crypto_pwhash_memlimit_interactive()
    )
    guard result == 0 else {
      throw Problem(503, "There is not enough memory for a passphrase now. Try again in a moment.")
    }
    text = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Reads a hash; returns `nil` if the text is something else, or if checking it would cost too much.
  public init?(text: String) {
    guard text.utf8.count < crypto_pwhash_strbytes(),
      let found = text.wholeMatch(
        of:
          /\$argon2id\$v=19\$m=([0-9]{1,9}),t=([0-9]{1,4}),p=1\$[A-Za-z0-9+\/]{22}\$[A-Za-z0-9+\/]{43}/
      ),
      WholeNumber.read(found.1, within: 8...Self.mostMemory) != nil,
      WholeNumber.read(found.2, within: 1...Self.mostOperations) != nil
    else { return nil }
    self.text = text
  }

  /// Returns whether the hash is that of a passphrase; also `false` if there is not enough memory to find out.
  public func isOf(_ passphrase: String) -> Bool {
    precondition(sodium_init() >= 0, "libsodium has random numbers")
    let words = Self.composed(passphrase)
    return crypto_pwhash_str_verify(text, words, UInt64(words.utf8.count)) == 0
  }

  /// The same text, whichever way a keyboard composes its letters.
  private static func composed(_ passphrase: String) -> String {
    passphrase.precomposedStringWithCanonicalMapping
  }
}
