import CoreData

/// A function that a store makes in its database.
///
/// Its code calls only functions that the server has from the beginning: a program that restores a backup, or gathers
/// statistics, may look for functions in other schemas than the store's.
struct ServerFunction {
  let name: String
  private let makeStatement: @Sendable () -> String

  /// Makes it, or puts it in place of another one with its name and parameters.
  var statement: String { makeStatement() }

  /// The same parameters always give the same result; `cost` is what the planner takes a call for, in calls of operators.
  init(
    _ name: String,
    of parameters: String = "t text",
    returns type: String = "text",
    cost: Int = 100,
    declaring variables: [String] = [],
    _ lines: [String]
  ) {
    self.init(name, of: parameters, returns: type, cost: cost, declaring: variables) { lines }
  }

  /// The same with lines that take some time to write, which is spent only if the function must be made.
  init(
    _ name: String,
    of parameters: String = "t text",
    returns type: String = "text",
    cost: Int = 100,
    declaring variables: [String] = [],
    _ lines: @escaping @Sendable () -> [String]
  ) {
    self.name = name
    let declarations = variables.isEmpty ? [] : ["DECLARE"] + variables
    makeStatement = {
      """
      CREATE OR REPLACE FUNCTION \(name)(\(parameters)) RETURNS \(type) \
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST \(cost) AS $coredata$
      \((declarations + ["BEGIN"] + lines() + ["END"]).joined(separator: "\n"))
      $coredata$
      """
    }
  }

  /// All that the predicates of a store call.
  static let all =
    TextsInPostgreSQL.functions + WildcardsInPostgreSQL.functions + WordsInPostgreSQL.functions
    + KeptWords.functions
}
