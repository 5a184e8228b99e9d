// swift-format-ignore-file: DontRepeatTypeInStaticProperties

/// The collection operators of key-value coding, without the leading `@`.
public struct NSKeyValueOperator: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The operator `@avg`, the average of the values.
  public static let averageKeyValueOperator = NSKeyValueOperator(rawValue: "avg")
  /// The operator `@count`, the number of members.
  public static let countKeyValueOperator = NSKeyValueOperator(rawValue: "count")
  /// The operator `@distinctUnionOfArrays`, the distinct members of several arrays.
  public static let distinctUnionOfArraysKeyValueOperator = NSKeyValueOperator(
    rawValue: "distinctUnionOfArrays"
  )
  /// The operator `@distinctUnionOfObjects`, the distinct values of the members.
  public static let distinctUnionOfObjectsKeyValueOperator = NSKeyValueOperator(
    rawValue: "distinctUnionOfObjects"
  )
  /// The operator `@distinctUnionOfSets`, the distinct members of several sets.
  public static let distinctUnionOfSetsKeyValueOperator = NSKeyValueOperator(
    rawValue: "distinctUnionOfSets"
  )
  /// The operator `@max`, the greatest value.
  public static let maximumKeyValueOperator = NSKeyValueOperator(rawValue: "max")
  /// The operator `@min`, the smallest value.
  public static let minimumKeyValueOperator = NSKeyValueOperator(rawValue: "min")
  /// The operator `@sum`, the sum of the values.
  public static let sumKeyValueOperator = NSKeyValueOperator(rawValue: "sum")
  /// The operator `@unionOfArrays`, all members of several arrays.
  public static let unionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfArrays")
  /// The operator `@unionOfObjects`, the values of all members.
  public static let unionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfObjects")
  /// The operator `@unionOfSets`, all members of several sets.
  public static let unionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfSets")
}
