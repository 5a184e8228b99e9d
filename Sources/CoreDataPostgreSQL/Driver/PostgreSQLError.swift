import CoreData

/// The error with which a PostgreSQL server, or the way to it, refuses.
package struct PostgreSQLError: Error, Hashable, Sendable {
  /// Five letters and digits by which the server distinguishes errors; empty if it did not answer.
  package var state: String
  /// The server's words, without the detail that repeats rows and without passwords.
  ///
  /// It may contain a value that does not fit a type.
  package var message: String
  /// The statement, its values apart.
  package var sql: String?
  /// The constraint that a row violates.
  package var constraint: String?

  package init(state: String, message: String, sql: String? = nil, constraint: String? = nil) {
    self.state = state
    self.message = message
    self.sql = sql
    self.constraint = constraint
  }

  /// A value that goes as text ends at such a character, and what follows would be lost without a word.
  static let zeroInText = PostgreSQLError(
    state: "22021",
    message: "a text of the request has the character U+0000"
  )

  /// There was no answer, the server ends this connection or all of them, or none is open to us at the moment.
  package var isLoss: Bool {
    state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P")
      || [Self.poolerLoginState, Self.idleState].contains(state)
  }

  /// The server has ended the connection because nothing happened in its transaction for longer than it lets.
  static let idleState = "25P03"

  /// The time for opening a connection was over, by libpq's own words: trying again at once takes as long.
  package var isSilence: Bool {
    (state.isEmpty || state == Self.unfitServerState) && message.contains("timeout expired")
  }

  /// Other programs have all connections of the server at the moment.
  package var isCrowd: Bool { state == "53300" }

  // No server gives the states that begin with CD.

  /// The server is older than what a store needs.
  static let oldServerState = "CD020"

  /// The database keeps texts in another form than a store needs.
  static let otherEncodingState = "CD002"

  /// The server takes backslashes in texts for something else.
  static let backslashesState = "CD021"

  /// No connection of the store became free.
  package static let noneFreeState = "CD003"

  /// A pooler did not have a connection of the server to lend.
  ///
  /// It had all the time that it takes, minutes as a rule, so that it is not asked again at once.
  package static let noneLentState = "CD006"

  /// The time for an answer was over; the connection is closed, and what the server does with the statement is not
  /// known.
  package static let overdueState = "CD008"

  package static func overdue(after limit: Duration, sql: String?) -> PostgreSQLError {
    PostgreSQLError(state: overdueState, message: "no answer came within \(limit)", sql: sql)
  }

  /// Nobody wanted the answer any more.
  static let givenUpState = "CD009"

  package static func givenUp(_ sql: String? = nil) -> PostgreSQLError {
    PostgreSQLError(state: givenUpState, message: "nobody waits for the answer", sql: sql)
  }

  /// A pooler does not take a setting of the address.
  package static let refusedSettingState = "CD007"

  /// A pooler cannot log in at the server behind it: that is down, or knows another password.
  package static let poolerLoginState = "CD010"

  /// The address has a setting that libpq or the server cannot read, or that the user may not have.
  package static let badSettingState = "CD011"

  /// The way to the server is not as safe as the address demands.
  package static let unsecuredState = "CD012"

  /// A server refused the connection in words that we do not know.
  package static let refusedState = "CD013"

  /// The values of a statement are more than what goes over the wire in one message.
  package static let tooLargeState = "CD014"

  /// A column is not of the type that the model gives it.
  static let changedColumnState = "CD015"

  /// A store is copied to a zone that another program has made since.
  static let zoneTakenState = "CD016"

  /// The server has kept so many notifications for sessions which do not take them that a COMMIT with one more is refused.
  package static let fullQueueState = "CD019"

  /// Whether the server means its notifications by the state that it has for all that is too much, told by the name of its
  /// function, as no language changes it.
  package static func isFullQueue(_ state: String, of routine: String?) -> Bool {
    state == "54000" && routine == "PreCommit_Notify"
  }

  /// No server of the address is of the kind that it asks for by `target_session_attrs`, which may pass; of the class
  /// for connections that were not established.
  package static let unfitServerState = "08001"

  /// The meaning of a message from a pooler that has one state for all its messages.
  package static func state(ofPooler message: String, _ state: String) -> String? {
    guard state == "08P01" else { return nil }
    if message.hasPrefix("server login") { return poolerLoginState }
    return ["query_wait_timeout": noneLentState, "query_timeout": "57014"][message]
  }

  /// Two transactions were in each other's way: the same again may go through.
  var isCollision: Bool { state == "40001" || state == "40P01" }

  /// Rows are not any more what they were when they were looked for.
  static let overtaken = PostgreSQLError(
    state: "40001",
    message: "another program has written the same rows"
  )

  /// A statement that only reads would have written.
  var wouldWrite: Bool { state == "25006" }

  /// The statement is at fault, and not the server or the way to it: its words, its names or its values.
  var isOfStatement: Bool { wouldWrite || state.hasPrefix("42") || state.hasPrefix("22") }

  /// A value is at fault: no type, index or constraint takes it.
  var isOfValues: Bool {
    ["22", "23", "54"].contains(state.prefix(2)) || state == Self.tooLargeState
  }

  /// A uniqueness constraint has refused the row.
  var isDuplicate: Bool { state == "23505" }

  /// A statement that the server had compiled does not fit the tables any more, or is not there.
  package var isStalePlan: Bool { state == Self.stalePlanState }

  package static let stalePlanState = "26000"

  /// Whether the server means a compiled statement by the state that it has for all that it does not support: the words
  /// are of its language, and the name of its function is not.
  package static func isStalePlan(_ state: String, of routine: String?) -> Bool {
    state == "0A000" && routine == "RevalidateCachedQuery"
  }
}

extension PostgreSQLError: CustomStringConvertible {
  package var description: String {
    let words = state.isEmpty ? message : "\(message) (SQLSTATE \(state))"
    return sql.map { "\(words); statement: \($0)" } ?? words
  }
}

extension PostgreSQLError: SQLFailure {
  /// A state that no server gives.
  private static let beyondBoundsState = "CD001"

  static func beyondBounds(_ number: Int64, _ place: String) -> PostgreSQLError {
    PostgreSQLError(
      state: beyondBoundsState,
      message: "\(place) is \(number), which is more than can be counted on from"
    )
  }

  static func duplicate(of properties: String) -> PostgreSQLError {
    PostgreSQLError(state: "23505", message: "values must be unique: \(properties)")
  }
}
