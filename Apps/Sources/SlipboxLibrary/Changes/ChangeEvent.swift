/// A change, in the form that followers of the changes receive.
public enum ChangeEvent: Sendable, Equatable {
  case changed(Changed)
  /// More changes than can be reported, or too long ago: everything that is shown has to be read
  /// again.
  case reload(token: String)

  public struct Changed: Encodable, Sendable, Equatable {
    public let notes: [String]
    public let folders: [String]
    public let keywords: [String]
    /// Searches that are kept.
    public var searches: [String] = []
    /// The client that wrote it; null for another program.
    @OrNull public var by: String?
    /// The place in the history after this event.
    public let token: String

    enum CodingKeys: CodingKey {
      case notes, folders, keywords, searches, by
    }
  }

  public var token: String {
    switch self {
    case .changed(let changed): changed.token
    case .reload(let token): token
    }
  }
}

/// A place in a store's history, as text: the store's sign and the number of a transaction.
struct HistoryPlace: Hashable, Sendable {
  let store: String
  let number: Int64

  var text: String { "\(store)-\(number)" }

  init(store: String, number: Int64) {
    self.store = store
    self.number = number
  }

  /// Reads a text; `nil` if it is not a place.
  init?(text: String) {
    let halves = text.split(separator: "-")
    guard halves.count == 2, let number = WholeNumber.read64(halves[1]) else { return nil }
    self.init(store: String(halves[0]), number: number)
  }
}
