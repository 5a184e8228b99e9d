import CoreDataModel
import CoreDataPredicates
import Foundation

/// A request of a model: as a file spells it, or as it was given in code.
///
/// Each caller gets a request of its own, so that the model's stays as it is.
enum RequestTemplate {
  case spelled(FetchRequestSchema)
  case given(GivenRequest)

  init(_ request: NSFetchRequest<any NSFetchRequestResult>) {
    self = .given(GivenRequest(request))
  }

  /// A new request; its entity is one of the model's when there is a model.
  func request(in model: NSManagedObjectModel?) -> NSFetchRequest<any NSFetchRequestResult> {
    let request =
      switch self {
      case .spelled(let schema): schema.request
      case .given(let given): given.copy
      }
    if let entity = entityName.flatMap({ model?.description(ofEntity: $0) }) {
      request.entity = entity
    }
    return request
  }

  func schema(named name: String) -> FetchRequestSchema {
    switch self {
    case .spelled(var schema):
      schema.name = name
      return schema
    case .given(let given):
      return FetchRequestSchema(name: name, entityName: entityName ?? "", request: given.copy)
    }
  }

  var entityName: String? {
    switch self {
    case .spelled(let schema): schema.entityName
    case .given(let given): given.entityName
    }
  }
}

/// A copy of a request.
///
/// Its entity is held weakly, because the entity holds this.
struct GivenRequest {
  private let request: NSFetchRequest<any NSFetchRequestResult>
  private weak var entity: NSEntityDescription?
  private let givenName: String?

  init(_ original: NSFetchRequest<any NSFetchRequestResult>) {
    request = original.retyped((any NSFetchRequestResult).self)
    entity = original.entity
    givenName = original.entityName
    if entity != nil { request.entity = nil }
  }

  var entityName: String? { entity?.name ?? givenName }

  var copy: NSFetchRequest<any NSFetchRequestResult> {
    let copy = request.retyped((any NSFetchRequestResult).self)
    if let entity { copy.entity = entity }
    return copy
  }
}

// MARK: - Schema

extension FetchRequestSchema {
  fileprivate var request: NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entityName)
    request.predicate = predicateFormat.map { NSPredicate(format: $0) }
    request.sortDescriptors = sortDescriptors.isEmpty ? nil : sortDescriptors.map(\.descriptor)
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.fetchBatchSize = fetchBatchSize
    request.returnsDistinctResults = returnsDistinctResults
    request.relationshipKeyPathsForPrefetching =
      relationshipKeyPathsForPrefetching.isEmpty ? nil : relationshipKeyPathsForPrefetching
    request.includesSubentities = includesSubentities
    request.includesPropertyValues = includesPropertyValues
    request.returnsObjectsAsFaults = returnsObjectsAsFaults
    request.resultType = NSFetchRequestResultType(rawValue: UInt(exactly: resultType) ?? 0)
    return request
  }

  fileprivate init(
    name: String,
    entityName: String,
    request: NSFetchRequest<any NSFetchRequestResult>
  ) {
    self.init(
      name: name,
      entityName: entityName,
      predicateFormat: request.predicate?.spelling
    )
    sortDescriptors = (request.sortDescriptors ?? []).compactMap { Sort($0) }
    fetchLimit = request.fetchLimit
    fetchOffset = request.fetchOffset
    fetchBatchSize = request.fetchBatchSize
    returnsDistinctResults = request.returnsDistinctResults
    relationshipKeyPathsForPrefetching = request.relationshipKeyPathsForPrefetching ?? []
    includesSubentities = request.includesSubentities
    includesPropertyValues = request.includesPropertyValues
    returnsObjectsAsFaults = request.returnsObjectsAsFaults
    resultType = Int(request.resultType.rawValue)
  }
}

extension FetchRequestSchema.Sort {
  fileprivate var descriptor: NSSortDescriptor {
    NSSortDescriptor(key: key, ascending: isAscending, selector: Selector(selector))
  }

  /// Nil for a descriptor that sorts by code, which no file can hold.
  fileprivate init?(_ descriptor: NSSortDescriptor) {
    guard let key = descriptor.key, let selector = descriptor.selector else { return nil }
    self.init(key: key, isAscending: descriptor.ascending, selector: selector.description)
  }
}
