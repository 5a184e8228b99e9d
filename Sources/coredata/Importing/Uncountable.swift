import CoreDataModel
import CoreDataStoreCare

/// The words that programs write for infinite numbers and NaN.
///
/// A dump writes `inf` and `-inf`, and nothing for NaN, as a store has it.
enum Uncountable {
  /// The words that programs write into JSON, although JSON does not have them.
  static let wordsInJSON = ["NaN", "Infinity", "-Infinity"]

  fileprivate static let adviceOnNone = "write nothing, or null in JSON, for no value"

  fileprivate static func isMeant(by text: String) -> Bool {
    let word = text.lowercased().drop(while: { $0 == "-" || $0 == "+" })
    return word == "nan" || word == "inf" || word == "infinity"
  }
}

extension PlainValue {
  /// The word in a dump for an attribute of a type that has infinities too.
  init?(dumped text: String, _ type: AttributeType) {
    switch (type, text) {
    case (.double, "inf"): self = .real(.infinity)
    case (.double, "-inf"): self = .real(-.infinity)
    case (.float, "inf"): self = .single(.infinity)
    case (.float, "-inf"): self = .single(-.infinity)
    case _:
      guard let value = PlainValue(text, type) else { return nil }
      self = value
    }
  }
}

extension AttributeType {
  /// Runs what refuses a text, and adds to the refusal what to write in the place of a number that is infinite or none.
  func advising<Value>(on text: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let refusal as Refusal {
      guard let advice = adviceOnNumbers, Uncountable.isMeant(by: text) else { throw refusal }
      throw Refusal("\(refusal); \(advice)")
    }
  }

  /// Nil for a type of which no value is a number.
  private var adviceOnNumbers: String? {
    switch self {
    case .double, .float: "\(Uncountable.adviceOnNone), and inf or -inf for what is infinite"
    case .integer16, .integer32, .integer64, .decimal: Uncountable.adviceOnNone
    case .undefined, .string, .boolean, .date, .binaryData, .uuid, .uri, .transformable, .objectID,
      .composite:
      nil
    }
  }
}
