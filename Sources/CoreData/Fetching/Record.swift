/// What a store found for one dictionary: a value for each column of the plan.
package struct Record: Sendable {
  package let values: [RecordValue]
}

/// One value of a record, such that it may go to another thread.
///
/// Safety: values are numbers, texts, dates and other things that nobody changes.
package enum RecordValue: @unchecked Sendable {
  /// There is none; the dictionary has no such key.
  case nothing
  case value(Any)
  /// The key of a row; the context makes an object's identity of it.
  case identity(number: Int64, EntityLayout)
  /// The name of a file beside the store that holds the bytes.
  case externalFile(String)
}
