import CoreData
import Foundation

extension Advice {
  /// The advice for those who have the tool; nil where the tool has said or done what helps.
  var phraseOfTheTool: String? {
    let modelOrTables =
      "ive the application's model with --model; --without-model, where a command has it, reads the "
      + "tables alone."
    return switch self {
    case .words(let words): words
    case .bringModel(rowsMayBeWhole: false): "G" + modelOrTables
    case .bringModel(rowsMayBeWhole: true): "The rows may be whole: g" + modelOrTables
    case .readRowsAlone:
      "Put back a copy that is whole. The rows may be: coredata dump --without-model reads them."
    case .waitForOtherProgram: "Try again when the other program is done."
    case .searchLess:
      "Ask for less, or for what an index can find; or give the search more time with --time-limit."
    case .saveAgain(let first): (first.map { $0 + " " } ?? "") + "Nothing was changed."
    case .mendEach: nil
    case .giveVariableValue: "write a value in its place"
    }
  }
}

extension PredicateCompilationError {
  /// What is wrong with a part of a condition, and what to write instead.
  var wordsOfTheTool: String {
    (["\(part): \(problem)"] + [remedy.phraseOfTheTool].compactMap(\.self)).joined(separator: "; ")
  }
}

extension NSError {
  /// What happened, why and what helps, each said once: Foundation's description often has the reason.
  var wordsOfTheTool: String {
    let advice =
      if let advice = userInfo[Advice.userInfoKey] as? Advice {
        advice.phraseOfTheTool.map(Advice.sentence)
      } else {
        localizedRecoverySuggestion
      }
    return [localizedDescription, localizedFailureReason, advice].compactMap(\.self)
      .reduce("") { text, part in
        text.contains(part) ? text : text.isEmpty ? part : "\(text) \(part)"
      }
  }
}
