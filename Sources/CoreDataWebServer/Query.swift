/// The part after the question mark: `in=all&token=draft&token=review`.
public struct Query: Sendable, Equatable {
  public struct Item: Sendable, Equatable {
    public let name: String
    public let value: String
  }

  public let items: [Item]

  /// The first value under a name.
  public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// Every value under a name, in order.
  public func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  /// Reads a query; nil when an escape in it is broken.
  init?(_ text: Substring) {
    var items: [Item] = []
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decode(halves[0], plusIsSpace: true),
        let value = PercentEncoding.decode(halves.count > 1 ? halves[1] : "", plusIsSpace: true)
      else { return nil }
      items.append(Item(name: name, value: value))
    }
    self.items = items
  }

  init() { items = [] }
}
