import CoreDataCSQLite

// MARK: - SQL functions on borrowed bytes

extension Connection {
  /// Makes a Swift closure a function of SQL that reads its arguments where SQLite has them.
  ///
  /// ```swift
  /// connection.define("FIRST_BYTE", borrowing: 1) { arguments in
  ///   arguments.text(0)?.first.map { .integer(Int64($0)) } ?? .null
  /// }
  /// ```
  ///
  /// No text is copied and nothing is allocated for a call: with a hundred thousand rows, making a
  /// `String` of each takes longer than looking through it.
  package func define(
    _ name: String,
    borrowing argumentCount: Int,
    _ body: @escaping (BorrowedArguments) -> BorrowedResult
  ) {
    let box = Unmanaged.passRetained(BorrowingBody(body))
    sqlite3_create_function_v2(
      handle,
      name,
      Int32(argumentCount),
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | FunctionUse.statements.flag,
      box.toOpaque(),
      { context, _, arguments in
        guard let context, let arguments, let opaque = sqlite3_user_data(context) else { return }
        Unmanaged<BorrowingBody>.fromOpaque(opaque)._withUnsafeGuaranteedRef { function in
          function.body(BorrowedArguments(arguments)).give(to: context)
        }
      },
      nil,
      nil,
      { opaque in opaque.map { Unmanaged<BorrowingBody>.fromOpaque($0).release() } }
    )
  }
}

private final class BorrowingBody {
  let body: (BorrowedArguments) -> BorrowedResult

  init(_ body: @escaping (BorrowedArguments) -> BorrowedResult) {
    self.body = body
  }
}

/// The arguments of one call, valid until it returns.
package struct BorrowedArguments {
  private let arguments: UnsafeMutablePointer<OpaquePointer?>

  fileprivate init(_ arguments: UnsafeMutablePointer<OpaquePointer?>) {
    self.arguments = arguments
  }

  /// The UTF-8 of a text; `nil` for another value.
  package func text(_ index: Int) -> UnsafeRawBufferPointer? {
    guard sqlite3_value_type(arguments[index]) == SQLITE_TEXT else { return nil }
    let start = UnsafeRawPointer(sqlite3_value_text(arguments[index]))
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[index])))
  }

  /// The bytes of a blob; `nil` for another value.
  package func blob(_ index: Int) -> UnsafeRawBufferPointer? {
    guard sqlite3_value_type(arguments[index]) == SQLITE_BLOB else { return nil }
    let start = sqlite3_value_blob(arguments[index])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(arguments[index])))
  }

  /// A whole number; zero for another value.
  package func integer(_ index: Int) -> Int64 {
    sqlite3_value_int64(arguments[index])
  }
}

/// The result of a call; bytes are copied before it returns.
package enum BorrowedResult {
  case null
  case integer(Int64)
  case text(UnsafeRawBufferPointer)
  /// Ends the statement with this sentence.
  case failure(String)

  fileprivate func give(to context: OpaquePointer) {
    switch self {
    case .null:
      sqlite3_result_null(context)
    case .integer(let value):
      sqlite3_result_int64(context, value)
    case .text(let bytes):
      coredata_result_text_copied(context, bytes.baseAddress, Int32(clamping: bytes.count))
    case .failure(let sentence):
      sqlite3_result_error(context, sentence, -1)
    }
  }
}
