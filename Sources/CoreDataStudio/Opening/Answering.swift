import CoreData
import CoreDataModel
import CoreDataSQLite
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// Makes an answer of what a handler found; each failure becomes a sentence with a status.
///
/// ```
/// a condition that is wrong    400   with the text and the place of the mistake
/// a store that is locked       503
/// a store that is damaged      500   with the reason
/// ```
func answering(_ body: () throws -> JSONValue) throws(Problem) -> Response {
  do {
    return .data(Data(try body().compact.utf8), contentType: "application/json; charset=utf-8")
      .with("Cache-Control", "no-store")
  } catch {
    throw Problem(studio: error)
  }
}

extension Problem {
  /// The problem of a failure of the framework or of somebody's text.
  init(studio error: any Error) {
    switch error {
    case let problem as Problem: self = problem
    case let refusal as Refusal: self.init(refusal)
    case let error as PredicateCompilationError: self.init(400, error.description)
    case is CancellationError: self.init(503, "The search was stopped. Ask again.")
    case let error as SQLiteError where error.primaryCode == 5:
      self.init(503, "Another program keeps the store locked; close it, or try again later.")
    case let error as SQLiteError: self.init(500, "The store cannot be read: \(error.message).")
    case let error as ModelError:
      self.init(422, error.problems.map(\.description).joined(separator: "\n"))
    case _:
      let error = error as NSError
      let words = [
        error.localizedDescription, error.localizedFailureReason,
        error.localizedRecoverySuggestion,
      ].compactMap(\.self).reduce("") { text, part in
        text.contains(part) ? text : text.isEmpty ? part : "\(text) \(part)"
      }
      self.init(error.code == NSPersistentStoreTimeoutError ? 503 : 500, words)
    }
  }

  private init(_ refusal: Refusal) {
    let place = refusal.mark.map { ["place": $0.place] }
    self.init(400, refusal.sentence, details: place)
  }
}

extension Int {
  /// The bounds of numbers that addresses have.
  static let greatestRow = 1_000_000_000
}
