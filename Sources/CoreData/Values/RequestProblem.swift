import Foundation

/// An error as the client of a web API should see it: a status, the fields that it is about, and a sentence.
///
/// ```swift
/// do {
///   try context.save()
/// } catch {
///   guard let problem = RequestProblem(error) else { throw error }
///   print(problem.status, try JSONEncoder().encode(problem))
/// }
/// ```
///
/// The status is 422 if a value does not meet the model's rules, 409 if a value must be unique or an object was changed by
/// somebody else, and 404 if an object does not exist. No sentence contains file paths, SQL, or identifiers of objects.
///
/// A problem is encoded as `{"status": 422, "detail": "…", "fields": [{"entity": "Book", "field": "title", "detail": "…"}]}`,
/// which is a problem of RFC 9457 if it is sent as `application/problem+json`.
public struct RequestProblem: Error, Hashable, Sendable, Codable {
  /// A property that has a value that is not accepted.
  public struct Field: Hashable, Sendable, Codable {
    /// The name of the entity, or `nil` if it is not known.
    public let entity: String?
    /// The name of the property in the model.
    public let name: String
    /// A sentence for people.
    public let sentence: String

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - entity: The name of the entity, or `nil`.
    ///   - sentence: A sentence for people.
    public init(_ name: String, of entity: String? = nil, _ sentence: String) {
      self.name = name
      self.entity = entity
      self.sentence = sentence
    }

    private enum CodingKeys: String, CodingKey {
      case entity
      case name = "field"
      case sentence = "detail"
    }
  }

  /// The status of the answer over HTTP.
  public let status: Int
  /// A sentence for people.
  public let sentence: String
  /// The fields that the problem is about; empty if it is not about fields.
  public let fields: [Field]

  /// Creates a problem.
  ///
  /// - Parameters:
  ///   - status: The status of the answer over HTTP.
  ///   - sentence: A sentence for people.
  ///   - fields: The fields that the problem is about.
  public init(_ status: Int, _ sentence: String, fields: [Field] = []) {
    self.status = status
    self.sentence = sentence
    self.fields = fields
  }

  private enum CodingKeys: String, CodingKey {
    case status
    case sentence = "detail"
    case fields
  }
}

// MARK: - From errors

extension RequestProblem {
  /// Creates the problem that a client can do something about.
  ///
  /// - Parameter error: An error of a save, a fetch or a block of `write`. The result is `nil` if the client cannot do
  ///   anything about it, such as a full disk: answer with 500 or 503, and log the error. An error that is a problem
  ///   already stays as it is.
  public init?(_ error: any Error) {
    if let problem = error as? RequestProblem {
      self = problem
      return
    }
    let error = error as NSError
    guard error.domain == NSCocoaErrorDomain else { return nil }
    switch error.code {
    case NSValidationMultipleErrorsError, Self.validation: self.init(validation: error)
    case NSManagedObjectConstraintMergeError: self.init(duplicates: error)
    case NSManagedObjectMergeError:
      self.init(
        409,
        "Somebody else has changed this in the meantime. Read it again, and repeat your change."
      )
    case NSManagedObjectReferentialIntegrityError:
      self.init(404, "This does not exist, or it was deleted.")
    default: return nil
    }
  }

  /// The codes of single values that are not accepted.
  private static let validation = NSManagedObjectValidationError..<1_700

  private init?(validation error: NSError) {
    let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
    let fields = parts.compactMap { part -> Field? in
      guard let name = part.userInfo[NSValidationKeyErrorKey] as? String else { return nil }
      let object = part.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
      return Field(name, of: object?.layout.name, part.localizedDescription)
    }
    let isDenied = parts.allSatisfy { $0.code == NSValidationRelationshipDeniedDeleteError }
    self.init(
      isDenied ? 409 : 422,
      parts.map(\.localizedDescription).joined(separator: " "),
      fields: fields
    )
  }

  private init?(duplicates error: NSError) {
    let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSObject] ?? []
    let fields = conflicts.compactMap { $0 as? NSConstraintConflict }.flatMap { conflict in
      let names = conflict.constraint.joined(separator: " and ")
      let sentence =
        conflict.constraint.count == 1
        ? "There is another object with this \(names)."
        : "There is another object with the same \(names)."
      let entity = conflict.conflictingObjects.first?.layout.name
      return conflict.constraint.map { Field($0, of: entity, sentence) }
    }
    var sentences: [String] = []
    for field in fields where !sentences.contains(field.sentence) {
      sentences.append(field.sentence)
    }
    self.init(
      409,
      sentences.isEmpty
        ? "A value that must be unique is taken." : sentences.joined(separator: " "),
      fields: fields
    )
  }
}
