// swift-format-ignore-file: DontRepeatTypeInStaticProperties

/// An operator of key-value coding on collections, as it stands behind the `@` of a key path.
public struct NSKeyValueOperator: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let averageKeyValueOperator = NSKeyValueOperator(rawValue: "avg")
  public static let countKeyValueOperator = NSKeyValueOperator(rawValue: "count")
  public static let distinctUnionOfArraysKeyValueOperator = NSKeyValueOperator(
    rawValue: "distinctUnionOfArrays"
  )
  public static let distinctUnionOfObjectsKeyValueOperator = NSKeyValueOperator(
    rawValue: "distinctUnionOfObjects"
  )
  public static let distinctUnionOfSetsKeyValueOperator = NSKeyValueOperator(
    rawValue: "distinctUnionOfSets"
  )
  public static let maximumKeyValueOperator = NSKeyValueOperator(rawValue: "max")
  public static let minimumKeyValueOperator = NSKeyValueOperator(rawValue: "min")
  public static let sumKeyValueOperator = NSKeyValueOperator(rawValue: "sum")
  public static let unionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfArrays")
  public static let unionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfObjects")
  public static let unionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfSets")
}
