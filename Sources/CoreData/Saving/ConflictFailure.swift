import Foundation

/// The errors of saves that conflicts have stopped.
enum ConflictFailure {
  /// 133020 with all conflicts, or 133021 when only unique values are among them.
  static func unresolved(
    _ rows: [NSMergeConflict],
    _ values: [NSConstraintConflict]
  ) -> NSError {
    let objects = rows.map(\.sourceObject) + values.flatMap(\.conflictingObjects)
    let failure: ObjectFailure =
      rows.isEmpty
      ? .duplicates(values.map(\.sentence))
      : .mergeConflict(uris: rows.map { uri(of: $0.sourceObject) })
    return failure.error(objects: objects, conflicts: rows + values)
  }

  /// The error for conflicts that a policy has left unresolved.
  static func left(_ conflicts: [NSObject], by policy: NSMergePolicy) -> NSError {
    let rows = conflicts.compactMap { $0 as? NSMergeConflict }
    let values = conflicts.compactMap { $0 as? NSConstraintConflict }
    if rows.isEmpty { return unresolved([], values) }
    let objects = rows.map(\.sourceObject) + values.flatMap(\.conflictingObjects)
    return ObjectFailure.unresolved(policy: "\(type(of: policy))", uris: objects.map(uri))
      .error(objects: objects, conflicts: conflicts)
  }

  fileprivate static func uri(of object: NSManagedObject) -> String {
    object.objectID.uriRepresentation().absoluteString
  }
}

extension NSConstraintConflict {
  /// A sentence such as: Note slug “a” of … is taken by ….
  fileprivate var sentence: String {
    let values = constraint.map { "\($0) “\(constraintValues[$0] ?? "")”" }
    let objects = conflictingObjects.map(ConflictFailure.uri).joined(separator: ", ")
    let entity = conflictingObjects.first?.layout.name ?? ""
    let holder = databaseObject.map { "is taken by \(ConflictFailure.uri(of: $0))" }
    return "\(entity) \(values.joined(separator: ", ")) of \(objects) "
      + (holder ?? "is wanted more than once") + "."
  }
}

extension NSError {
  /// Whether a merge policy has refused to resolve conflicts.
  var isUnresolvedConflict: Bool {
    domain == NSCocoaErrorDomain
      && [NSManagedObjectMergeError, NSManagedObjectConstraintMergeError].contains(code)
  }
}
