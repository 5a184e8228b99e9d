import CoreDataModel
import Foundation

/// A description of a property whose value is the result of a fetch request.
///
/// The value is an array. In the predicate of the request, `$FETCH_SOURCE` is the object that has
/// the property, and `$FETCHED_PROPERTY` is this description.
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  private var template: RequestTemplate?
  /// The name of the request in the model file.
  private var requestName = "fetchRequest"

  /// The request whose results are the value of the property.
  ///
  /// Reading this property returns a copy.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    get { template?.request(in: declaringEntity?.model) }
    set {
      willChange()
      template = newValue.map { RequestTemplate($0) }
    }
  }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSFetchedPropertyDescription else { return }
    template = other.template
    requestName = other.requestName
  }

  override var kind: String { "fetched property" }
}

// MARK: - Schema

extension NSFetchedPropertyDescription {
  convenience init(_ schema: FetchedPropertySchema) {
    self.init()
    name = schema.name
    isOptional = schema.isOptional
    template = .spelled(schema.request)
    requestName = schema.request.name
    userInfo = schema.userInfo
    versionHashModifier = schema.versionHashModifier
    ownRenamingIdentifier = schema.renamingIdentifier
  }

  var schema: FetchedPropertySchema {
    guard let template else {
      stop("\(title) has no fetch request; set its fetchRequest")
    }
    var schema = FetchedPropertySchema(name: name, request: template.schema(named: requestName))
    schema.isOptional = isOptional
    schema.userInfo = userInfo?.textEntries ?? [:]
    schema.versionHashModifier = versionHashModifier
    schema.renamingIdentifier = ownRenamingIdentifier
    return schema
  }
}
