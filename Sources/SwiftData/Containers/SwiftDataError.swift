public import Foundation

/// An error of this module, with the reason.
///
/// ```swift
/// do {
///   container = try ModelContainer(for: Note.self)
/// } catch SwiftDataError.loadIssueModelContainer {
///   // …
/// }
/// ```
///
/// Two errors are equal if they are of one kind, whatever their reasons.
public struct SwiftDataError: Error, Hashable, CustomStringConvertible, LocalizedError {
  private let kind: Kind
  /// The reason, as a sentence.
  public let reason: String?
  /// The error from which this one follows.
  public let underlyingError: (any Error)?

  private enum Kind: String {
    case loadIssueModelContainer, configurationFileNameTooLong, duplicateConfiguration
    case configurationFileNameContainsInvalidCharacters,
      configurationSchemaNotFoundInContainerSchema
    case unknownSchema, backwardMigration, modelValidationFailure, missingModelContext
    case unsupportedPredicate, unsupportedSortDescriptor, unsupportedKeyPath
    case includePendingChangesWithBatchSize, sortingPendingChangesWithIdentifiers
    case historyTokenExpired, invalidTransactionFetchRequest
  }

  private init(_ kind: Kind, reason: String? = nil, underlyingError: (any Error)? = nil) {
    self.kind = kind
    self.reason = reason
    self.underlyingError = underlyingError
  }

  public static func == (one: SwiftDataError, other: SwiftDataError) -> Bool {
    one.kind == other.kind
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// Returns whether an error is of a kind, so that `catch` can name the kind.
  ///
  /// - Parameters:
  ///   - pattern: An error of the kind.
  ///   - error: Any error.
  /// - Returns: Whether the error is a `SwiftDataError` of that kind.
  public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
    (error as? SwiftDataError) == pattern
  }

  /// The kind of the error and the reason.
  public var description: String {
    ["SwiftDataError.\(kind.rawValue)", reason].compactMap(\.self).joined(separator: ": ")
  }

  /// The reason, or the kind of the error.
  public var errorDescription: String? { reason ?? description }

  /// The same error with a reason.
  func because(_ reason: String, _ underlyingError: (any Error)? = nil) -> SwiftDataError {
    SwiftDataError(kind, reason: reason, underlyingError: underlyingError)
  }

  /// The same error, which follows from another.
  func following(_ error: any Error) -> SwiftDataError {
    SwiftDataError(kind, reason: Self.sentences(of: error), underlyingError: error)
  }

  /// The description of an error with its reason and its remedy.
  static func sentences(of error: any Error) -> String {
    let error = error as NSError
    let parts = [
      error.localizedDescription, error.localizedFailureReason, error.localizedRecoverySuggestion,
    ]
    var sentences: [String] = []
    for case let part? in parts where !sentences.contains(part) { sentences.append(part) }
    return sentences.joined(separator: " ")
  }
}

extension SwiftDataError {
  /// A container could not be created.
  public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
  /// The name of a configuration is too long for a file.
  public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
  /// The name of a configuration contains a slash or a zero.
  public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
    .configurationFileNameContainsInvalidCharacters
  )
  /// The schema of a configuration has classes that the container's schema does not have.
  public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
    .configurationSchemaNotFoundInContainerSchema
  )
  /// Two configurations have the same name.
  public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
  /// A class is not in the container's schema.
  public static let unknownSchema = SwiftDataError(.unknownSchema)
  /// A store is of a newer version than the program's schema.
  public static let backwardMigration = SwiftDataError(.backwardMigration)
  /// A model breaks a rule of its schema.
  public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
  /// A model is without a context.
  public static let missingModelContext = SwiftDataError(.missingModelContext)
  /// A predicate cannot be asked of a store.
  public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
  /// A store cannot sort in this way.
  public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
  /// A key path leads to something that is not stored.
  public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
  /// A fetch in batches cannot include unsaved changes.
  public static let includePendingChangesWithBatchSize = SwiftDataError(
    .includePendingChangesWithBatchSize
  )
  /// Identifiers cannot be sorted together with unsaved changes.
  public static let sortingPendingChangesWithIdentifiers = SwiftDataError(
    .sortingPendingChangesWithIdentifiers
  )
  /// The history after a token has been deleted.
  public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
  /// A request for the history cannot be answered.
  public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)
}
