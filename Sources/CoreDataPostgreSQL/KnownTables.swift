import CoreData
import Foundation
import Synchronization

/// The tables as a store knows them, until another program migrates them.
///
/// ```
/// the server refuses a mark ─▶ what do the tables say now? ─▶ only added attributes: the new mark, and once more
///                                                         ─▶ anything else: the refusal stays
/// ```
final class KnownTables: Sendable {
  private let database: PostgreSQLDatabase
  private let place: StorePlace
  private let schema: StoreSchema
  private let known: Mutex<TablesMark>
  /// Of several requests that are refused at once, one looks, and the others wait.
  private let turn = Mutex(())

  init(
    _ opened: PostgreSQLDatabase.Opened,
    in database: PostgreSQLDatabase,
    _ place: StorePlace,
    _ schema: StoreSchema
  ) {
    self.database = database
    self.place = place
    self.schema = schema
    known = Mutex(opened.mark)
    schema.surplus = opened.surplus
  }

  var mark: TablesMark { known.withLock { $0 } }

  /// Whether a refused request can be sent again, with the mark of now: another program has only added attributes.
  ///
  /// The caller must not hold a connection of the pool.
  func mayGoOn(after error: PostgreSQLError, to mark: TablesMark) -> Bool {
    guard error.state == PostgreSQLError.otherModelState else { return false }
    return turn.withLock { _ in
      if self.mark != mark { return true }
      // The refusal is the error to report, whatever a second look says.
      guard let now = try? database.lookAgain(place, for: schema.model), now.mark != mark else {
        return false
      }
      schema.surplus = now.surplus
      known.withLock { $0 = now.mark }
      return true
    }
  }

  /// Runs something that asks for the mark, and runs it again if another program has only added attributes since.
  func asking<Result>(
    _ body: (TablesMark) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let mark = mark
    do throws(PostgreSQLError) {
      return try body(mark)
    } catch {
      guard mayGoOn(after: error, to: mark) else { throw error }
      return try body(self.mark)
    }
  }
}
