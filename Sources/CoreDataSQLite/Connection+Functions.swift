import CoreDataCSQLite
package import CoreDataSQL

// MARK: - SQL functions

extension Connection {
  /// Makes a Swift closure a function of SQL, on this connection.
  ///
  /// A deterministic function may be used in an index and is evaluated once if its arguments do not change. Only a
  /// function for the `schema` can be called by the file's triggers, views and indexes.
  package func define(
    _ name: String,
    argumentCount: Int,
    isDeterministic: Bool = true,
    for use: FunctionUse = .statements,
    _ body: @escaping ([SQLValue]) -> SQLValue
  ) {
    let box = Unmanaged.passRetained(FunctionBody(body))
    let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0) | use.flag
    sqlite3_create_function_v2(
      handle,
      name,
      Int32(argumentCount),
      flags,
      box.toOpaque(),
      { context, count, arguments in
        guard let context, let opaque = sqlite3_user_data(context) else { return }
        let function = Unmanaged<FunctionBody>.fromOpaque(opaque).takeUnretainedValue()
        let values = (0..<Int(count)).map { SQLValue(arguments?[$0]) }
        function.body(values).give(to: context)
      },
      nil,
      nil,
      { opaque in opaque.map { Unmanaged<FunctionBody>.fromOpaque($0).release() } }
    )
  }
}

private final class FunctionBody {
  let body: ([SQLValue]) -> SQLValue

  init(_ body: @escaping ([SQLValue]) -> SQLValue) {
    self.body = body
  }
}

extension SQLValue {
  fileprivate init(_ argument: OpaquePointer?) {
    switch sqlite3_value_type(argument) {
    case SQLITE_INTEGER:
      self = .integer(sqlite3_value_int64(argument))
    case SQLITE_FLOAT:
      self = .real(sqlite3_value_double(argument))
    case SQLITE_TEXT:
      let start = UnsafeRawPointer(sqlite3_value_text(argument))
      let count = Int(sqlite3_value_bytes(argument))
      let bytes = UnsafeRawBufferPointer(start: start, count: count)
      self = .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(argument)
      let count = Int(sqlite3_value_bytes(argument))
      self = .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    case _:
      self = .null
    }
  }

  fileprivate func give(to context: OpaquePointer) {
    switch self {
    case .null:
      sqlite3_result_null(context)
    case .integer(let value):
      sqlite3_result_int64(context, value)
    case .real(let value):
      sqlite3_result_double(context, value)
    case .text(var text):
      text.withUTF8 {
        coredata_result_text_copied(context, $0.baseAddress, Int32(clamping: $0.count))
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes {
        coredata_result_blob_copied(context, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }
}
