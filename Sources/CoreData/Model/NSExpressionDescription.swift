/// A description of a value that is computed by an expression, as the result of a fetch or as an
/// element of an index.
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// The expression whose value is computed.
  ///
  /// A fetch computes it in SQL; one that SQL cannot express makes the fetch throw 134091.
  public var expression: NSExpression? {
    willSet { willChange() }
  }
  /// The type of the computed value, with the names of Apple's older type.
  ///
  /// The default is `.undefinedAttributeType`.
  public var expressionResultType = NSAttributeType.undefinedAttributeType {
    willSet { willChange() }
  }

  /// The type of the computed value, as in `description.resultType = .integer64`.
  public var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
    set { expressionResultType = newValue.rawValue }
  }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSExpressionDescription else { return }
    expression = other.expression
    expressionResultType = other.expressionResultType
  }

  override var kind: String { "expression" }
}
