/// The place where a server keeps its tokens, without their texts.
package protocol TokenStorage: Sendable {
  /// Whether tokens are looked up without waiting for another machine.
  var answersAtOnce: Bool { get }

  func add(_ token: NewToken) throws
  /// The tokens of a choice, in the order in which they were made.
  func tokens(_ choice: TokenChoice) throws -> [AccessToken]
  func revoke(_ number: Int64) throws
  /// Forgets the tokens of a zone that are revoked.
  func forgetRevoked(of zone: String) throws
  /// Forgets a token that nobody has got, as if it had never been made.
  func forget(hash: [UInt8]) throws
}

extension TokenStorage {
  package var answersAtOnce: Bool { false }
}

/// A token that does not have a number yet.
package struct NewToken: Hashable, Sendable {
  package let hash: [UInt8]
  package let zone: String
  package let role: TokenRole
  package let label: String
  /// Milliseconds since 1970.
  package let made: UInt64
}

/// Which tokens are asked for.
package enum TokenChoice: Hashable, Sendable {
  case all
  case ofZone(String)
  case withNumber(Int64)
  case withHash([UInt8])
}
