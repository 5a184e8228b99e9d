/// The name of a method: `Selector("localizedCaseInsensitiveCompare:")`.
///
/// There is no runtime that finds methods by their names on Linux. Sort descriptors know
/// those that compare texts.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let description: String

  public init(_ name: String) {
    description = name
  }

  public init(stringLiteral name: String) {
    self.init(name)
  }
}
