/// An expression with a name and a type: what an index is ordered by when no property says it.
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  public var expression: NSExpression? {
    willSet { willChange() }
  }
  public var expressionResultType = NSAttributeType.undefinedAttributeType {
    willSet { willChange() }
  }

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
