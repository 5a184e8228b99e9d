/// What somebody can do about a failure.
///
/// Most advice is the same for everybody. Who writes a program does some things in another way than who
/// runs the tool `coredata`: these are cases, which ``sentence`` spells for the one and the tool for the
/// other. An error of Apple's kind carries such a case under ``userInfoKey``.
package enum Advice: Hashable, Sendable {
  /// The same words for everybody.
  case words(String)
  /// The store has no model that can be read; its rows may be whole where it had one.
  case bringModel(rowsMayBeWhole: Bool)
  /// The store's metadata are lost, its rows may not be.
  case readRowsAlone
  /// Another program has the store.
  case waitForOtherProgram
  /// The time for a search was over.
  case searchLess
  /// A save failed as a whole; what has to be done first, where that is known.
  case saveAgain(first: String?)
  /// Several errors were told as one.
  case mendEach
  /// A variable of a predicate has no value.
  case giveVariableValue
}

extension Advice: ExpressibleByStringInterpolation {
  package init(stringLiteral words: String) {
    self = .words(words)
  }
}

extension Advice {
  /// Where the `userInfo` of an error has the advice that is not the same for everybody.
  package static let userInfoKey = "CoreDataAdvice"

  /// The advice for those who write a program; a part of a sentence where it follows a semicolon.
  package var phrase: String {
    let modelOrTables =
      "pen it with the application's model, or with "
      + "NSManagedObjectModel(contentsOfStoreAt:from: .tables), which reads the tables."
    return switch self {
    case .words(let words): words
    case .bringModel(rowsMayBeWhole: false): "O" + modelOrTables
    case .bringModel(rowsMayBeWhole: true): "The rows may be whole: o" + modelOrTables
    case .readRowsAlone:
      "Put back a copy that is whole. The rows may be: they can be read with "
        + "NSReadOnlyPersistentStoreOption and NSIgnorePersistentStoreVersioningOption together."
    case .waitForOtherProgram:
      "Try again when the other program is done; NSPersistentStoreTimeoutOption says how long to wait."
    case .searchLess: "Ask for less, or for what an index can find; or give the search more time."
    case .saveAgain(let first):
      (first.map { $0 + " " } ?? "")
        + "The changes are still in the context; mend the cause and save again."
    case .mendEach: "Mend each of the errors under NSDetailedErrorsKey."
    case .giveVariableValue: "give it one with withSubstitutionVariables(_:)"
    }
  }

  /// The advice for those who write a program, as a sentence.
  package var sentence: String { Advice.sentence(phrase) }

  /// A part of a sentence made a whole one.
  package static func sentence(_ phrase: String) -> String {
    if phrase.isEmpty { return phrase }
    return phrase.prefix(1).uppercased() + phrase.dropFirst() + (phrase.hasSuffix(".") ? "" : ".")
  }
}
