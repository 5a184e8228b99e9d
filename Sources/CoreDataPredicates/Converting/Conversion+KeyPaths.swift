import Foundation

extension PredicateExpressions.KeyPath: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let base = try conversion.value(of: root)
    if kind == nil, let value = Foreign.types?.value(keyPath, of: base) { return .value(value) }
    switch kind {
    case .collectionCount:
      return .value(base.count(of: Root.Output.self))
    case .collectionIsEmpty:
      return .comparison(base.count(of: Root.Output.self), .equalTo, .number(0))
    case .collectionFirst:
      return .value(.index(base, .first))
    case .bidirectionalCollectionLast:
      return .value(.index(base, .last))
    case nil:
      if let value = captured(base) { return try conversion.convert(value) }
      return .value(base.reading(try name.keys))
    @unknown default:
      return .value(base.reading(try name.keys))
    }
  }

  /// The property of a captured value, as `cart.id` in `$0.id == cart.id`; `nil` for one of a managed object.
  private func captured(_ base: ExpressionTree) -> (any PredicateExpression)? {
    guard case .constant(let constant) = base, !(Root.Output.self is any KeyPathNaming.Type) else {
      return nil
    }
    if constant.isNil { return PredicateExpressions.NilLiteral<Output>() }
    guard let value = constant.value as? Root.Output else { return nil }
    return PredicateExpressions.Value(value[keyPath: keyPath])
  }

  private var name: String {
    get throws(ConversionError) {
      guard let name = keyPath.name ?? KnownKeyPaths.names[keyPath] else {
        // Only the key path of a stored property knows what it is called.
        let spelling = "\(keyPath)"
        let subject =
          spelling.contains("<computed")
          ? "a key path from \(Root.Output.self) to \(Output.self)" : "the key path \(spelling)"
        var error = ConversionError("\(subject) has no name in key-value coding")
        error.isForNow = (keyPath as AnyKeyPath).isNamedLater
        throw error
      }
      return name
    }
  }
}

extension ExpressionTree {
  /// The path from a value, or from that of a cast: `($0 as? Car)?.doors` is nil for what is not a car.
  package func reading(_ names: [String]) -> ExpressionTree {
    guard case .conditional(let isInstance, let value, .null) = self else {
      return .path(self, names)
    }
    return .conditional(isInstance, value.reading(names), .null)
  }

  /// A text has `length:`, which counts UTF-16 units as Objective-C does; other collections `@count`.
  fileprivate func count(of type: Any.Type) -> ExpressionTree {
    type is any StringProtocol.Type ? .function(.length, [self]) : .path(self, ["@count"])
  }
}

/// Properties of Foundation's types under the names that key-value coding has for them.
private enum KnownKeyPaths {
  /// Safety: key paths are immutable.
  nonisolated(unsafe) static let names: [AnyKeyPath: String] = [
    \NSSet.count: "@count",
    \NSOrderedSet.count: "@count",
    \NSArray.count: "@count",
    \NSDictionary.count: "@count",
    \NSString.length: "length",
    \Data.count: "length",
    \Date.timeIntervalSinceReferenceDate: "timeIntervalSinceReferenceDate",
    \Date.timeIntervalSince1970: "timeIntervalSince1970",
    \UUID.uuidString: "UUIDString",
    \URL.absoluteString: "absoluteString",
    \URL.path: "path",
    \URL.host: "host",
    \URL.scheme: "scheme",
    \URL.lastPathComponent: "lastPathComponent",
    \URL.pathExtension: "pathExtension",
  ]
}
