public import Foundation

/// Why something could not be done, in words for people.
public enum LibraryProblem: Error, Sendable {
  /// There is no such thing, or it is gone for good.
  case missing(String)
  /// The request makes no sense.
  case refused(String)
  /// A file has more bytes, or a picture more pixels, than are taken.
  case tooLarge(String)
  /// A file is of no kind that is taken, or is not what it begins as.
  case unsuitable(String)
  /// The note was changed since the edit began; both texts are kept.
  case stale(newer: NoteContent, copy: NoteRow)
  /// The act can no longer be undone.
  case expired(String)
  /// This program could not, for a reason that is not what was asked for.
  case unable(String)
  /// Other programs keep writing the same things.
  case busy
}

extension LibraryProblem: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .missing(let sentence), .refused(let sentence), .tooLarge(let sentence),
      .unsuitable(let sentence), .expired(let sentence), .unable(let sentence):
      sentence
    case .stale(let newer, _):
      """
      “\(newer.title)” was changed elsewhere since you began to edit it. Both texts are kept: yours \
      is a note of its own now.
      """
    case .busy: "Another program keeps changing the same notes. Try again in a moment."
    }
  }

  static func noNote(_ id: UUID) -> Self {
    .missing("There is no note \(id.text). It may have been deleted for good.")
  }

  static func noFolder(_ id: UUID) -> Self {
    .missing("There is no folder \(id.text). It may have been deleted for good.")
  }

  static func noKeyword(_ id: UUID) -> Self {
    .missing("There is no keyword \(id.text). It may have been deleted.")
  }
}

/// The reason why the notes cannot be written, if waiting or making room helps.
public enum StoreTrouble: Sendable {
  case locked, readOnly, full
  /// The file is not the one that was opened.
  case removed
  /// The database does not answer, or does not let its user write.
  case unreachable, forbidden

  /// Nil for errors that are about something else.
  public init?(_ error: CocoaError) {
    if let state = error.serverState {
      self.init(serverState: state)
      return
    }
    switch error.userInfo["NSSQLiteErrorDomain"] as? Int {
    case 5, 6: self = .locked
    case 8: self = .readOnly
    case 13: self = .full
    case 1032: self = .removed
    default: return nil
    }
  }

  /// From the five letters and digits by which a PostgreSQL server distinguishes errors; empty if it gave no answer.
  private init?(serverState state: String) {
    switch state {
    case "53300", "55P03", "40001", "40P01", "CD003": self = .locked
    case "53100": self = .full
    case "25006", "42501": self = .forbidden
    case _ where state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P"):
      self = .unreachable
    case _: return nil
    }
  }

  /// The problem, and what to do about it.
  public var sentence: String {
    switch self {
    case .locked: "Another program keeps the notes locked. Try again in a moment."
    case .readOnly: "The notes cannot be written: their folder is read-only."
    case .full: "The disk is full: this was not saved."
    case .removed:
      "This was not saved: the file of the notes was removed or replaced while Slipbox ran. Put it back, or restart Slipbox."
    case .unreachable: "The database does not answer. Try again in a moment."
    case .forbidden: "The notes cannot be written: the database does not let its user write."
    }
  }
}

extension CocoaError {
  /// The state of a PostgreSQL server, as five letters and digits; `nil` if the error is not from one.
  var serverState: String? {
    let reason = userInfo[NSUnderlyingErrorKey] as? NSError
    guard let reason, reason.domain == "NSPostgreSQLErrorDomain" else { return nil }
    return reason.userInfo["SQLSTATE"] as? String
  }
}
