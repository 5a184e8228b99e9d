/// The name of a method, as in `Selector("localizedCaseInsensitiveCompare:")`.
///
/// On Linux no runtime finds methods by name. Sort descriptors support the methods that compare
/// texts.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let description: String

  /// Creates a selector.
  ///
  /// - Parameter name: The name of the method, including its colons.
  public init(_ name: String) {
    description = name
  }

  public init(stringLiteral name: String) {
    self.init(name)
  }
}
