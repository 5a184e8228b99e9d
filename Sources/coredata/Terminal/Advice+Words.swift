import CoreData
import Foundation

extension Advice {
  /// The advice for those who have the tool; `nil` if the tool has already said or done it.
  var phraseOfTheTool: String? {
    let modelOrTables =
      "ive the application's model with --model; coredata dump --without-model reads the tables alone."
    return switch self {
    case .words(let words): words
    case .preceded(let words, let advice):
      words + (advice.phraseOfTheTool.map { " " + Advice.sentence($0) } ?? "")
    case .bringModel(rowsMayBeWhole: false): "G" + modelOrTables
    case .bringModel(rowsMayBeWhole: true): "The rows may be whole: g" + modelOrTables
    case .readRowsAlone:
      "Put back a copy that is whole. The rows may be: coredata dump --without-model reads them."
    case .readRowsAsTheyAre:
      "Use a newer version of coredata; coredata dump --without-model prints the rows as they are."
    case .openWithItsModel:
      "Give, with --model, the version of the model that it was made with; coredata migrate brings it to"
        + " another."
    case .openForWriting: "Check that you may write to the file and to its folder."
    case .undoUnfinishedSave(let path):
      "Let a program open it that may write, such as sqlite3 '\(path)' .schema; that undoes the save. Or"
        + " have what can be read copied into a new store, with coredata repair '\(path)' --salvage NEWFILE."
    case .endRequests: "Try again when other programs need fewer connections."
    case .needFewerConnections:
      "Close some, or raise max_connections; of a pooler, max_client_conn."
    case .askServerForLess: "Check that it runs; or ask for less."
    case .choosePooling:
      "Write ?pooling=transaction or ?pooling=session at the end of the address, or neither, which is"
        + " session."
    case .nameZone: "Name one that is there with --zone."
    case .beginAnew: "Run the command again."
    case .waitForOtherProgram: "Try again when the other program is done."
    case .searchLess:
      "Ask for less, or for what an index can find; or give the search more time with --time-limit."
    case .saveAgain(let first):
      (first?.phraseOfTheTool.map { Advice.sentence($0) + " " } ?? "") + "Nothing was changed."
    case .giveOtherValues: "Give the objects other values, or change those that have these."
    case .bringSourceModel: "Give, with --from, the version of the model that it was made with."
    case .confirmLoss:
      "Check that it is the right store, and see with --dry-run what is lost; --yes migrates it all the same."
    case .makeRoomForBackup: "Make room on the disk, or make no copy with --no-backup."
    case .mendEach: nil
    case .giveVariableValue: "write a value in its place"
    case .sortOtherwise(let words): words
    }
  }
}

extension PredicateCompilationError {
  /// The problem of a part of a condition, and the replacement.
  var wordsOfTheTool: String {
    (["\(part): \(problem)"] + [remedy.phraseOfTheTool].compactMap(\.self)).joined(separator: "; ")
  }
}

extension NSError {
  /// The event, the reason and the advice, each said once: Foundation's description often has the reason.
  var wordsOfTheTool: String {
    let advice =
      if let advice = userInfo[Advice.userInfoKey] as? Advice {
        advice.phraseOfTheTool.map(Advice.sentence)
      } else {
        localizedRecoverySuggestion
      }
    let words = [localizedDescription, localizedFailureReason, advice].compactMap(\.self)
      .reduce("") { text, part in
        text.contains(part) ? text : text.isEmpty ? part : "\(text) \(part)"
      }
    return placeOfFoundation.map { words.contains($0) ? words : "\($0): \(words)" } ?? words
  }

  /// The file that an error of Foundation's is about, whose sentences do not name it.
  private var placeOfFoundation: String? {
    guard domain == NSCocoaErrorDomain, userInfo[NSLocalizedDescriptionKey] == nil else {
      return nil
    }
    // Of a file that is copied, what could not be written is the copy.
    let written = code < 512 ? nil : userInfo["NSDestinationFilePath"] as? String
    return written ?? userInfo[NSFilePathErrorKey] as? String
  }
}
