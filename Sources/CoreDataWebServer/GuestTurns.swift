/// The turns of guests, who have no key but the secret in an address.
///
/// ```
/// guest 203.0.113.7    ▷▷▷▷ ─▶ one ┐
/// guest 203.0.113.9    ▷    ─▶ one ├─▶ two at once ─▶ handlers
/// guest 198.51.100.3   ▷▷   ─▶ one ┘
/// ```
///
/// All guests together have two handlers at work, so that they cannot hold up those who have the key. Of one address one
/// request waits among those of the others, so that a guest who asks for much does not hold up another one.
final class GuestTurns: Sendable {
  private let each = RequestTurns(limit: 1)
  private let all = RequestTurns(limit: 2)

  private static let everybody = RequestTurns.Client(address: "", name: "")

  /// Begins to answer a request when its turn comes.
  ///
  /// - Parameters:
  ///   - address: The address of the network that the request came from.
  ///   - begin: Begins the answer, and returns `false` if nobody waits for it any more. Its argument is to be called when
  ///     the request has been answered.
  func take(
    _ address: String,
    _ begin: @escaping @Sendable (_ leave: @escaping @Sendable () -> Void) -> Bool
  ) {
    let client = RequestTurns.Client(address: address, name: "")
    each.take(client) { [each, all] in
      all.take(Self.everybody) {
        let hasBegun = begin {
          all.leave(Self.everybody)
          each.leave(client)
        }
        // The turn among all is given on by its queue.
        if !hasBegun { each.leave(client) }
        return hasBegun
      }
      return true
    }
  }
}
