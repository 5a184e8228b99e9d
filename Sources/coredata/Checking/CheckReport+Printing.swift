import CoreData
import CoreDataStoreCare
import Foundation

extension CheckReport {
  /// Throws if the given model is not the store's; the report then says little about it.
  func requireFitting(_ model: ModelChoice, _ store: URL) throws {
    guard let modelDifference, case .file(let file) = model else { return }
    throw Refusal(OpenedStore.words(forMisfit: modelDifference, file, store, option: "--model"))
  }

  /// The findings for people, the most serious first, and a closing line.
  ///
  /// ```
  /// errors
  ///   Note.folder: 3 rows lead to a Folder that is not there (Z_PK 4, 9, 12)
  ///     repair takes the key out of them
  ///
  /// The store is not sound: 1 error.
  /// ```
  var text: String {
    let groups = Finding.Severity.allCases.compactMap { severity -> String? in
      let group = findings.filter { $0.severity == severity }
      if group.isEmpty { return nil }
      return (["\(severity.rawValue)s"] + group.map(\.text)).joined(separator: "\n")
    }
    return (groups + [closingLine]).joined(separator: "\n\n")
  }

  var closingLine: String {
    let counts = [Finding.Severity.error, .warning].compactMap { severity -> String? in
      let count = findings.filter { $0.severity == severity }.count
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    if !isSound { return "The store is not sound: \(counts.joined(separator: ", "))." }
    if isPartial {
      return
        "Nothing wrong was found, but not everything was checked without the application's model."
    }
    if !hasCheckedRows { return "Nothing wrong was found, but the rows were not checked." }
    return counts.isEmpty ? "The store is sound." : "The store is sound, with \(counts[0])."
  }

  var json: [String: Any] {
    [
      "isSound": isKnownSound,
      "hasCheckedRows": hasCheckedRows,
      "findings": findings.map(\.json),
    ]
  }
}

extension Finding {
  var text: String {
    let help = remedy.map { "repair \($0.sentence)" } ?? advice
    return "  \(line)" + (help.map { "\n    \($0.inOneLine)" } ?? "")
  }

  /// The place, the sentence and the first few examples.
  var line: String {
    let words = examples.words
    let more = words.count < count ? ", …" : ""
    let list = words.isEmpty ? "" : " (\(examples.noun)\(words.joined(separator: ", "))\(more))"
    // A name from the file may have several lines, and none of them is the tool's.
    return "\(place): \(sentence)\(list)".inOneLine
  }

  var json: [String: Any] {
    var object: [String: Any] = [
      "severity": severity.rawValue, "check": check.rawValue, "place": place.description,
      "count": count, "sentence": sentence,
    ]
    object["entity"] = place.entity
    object["property"] = place.property
    if let key = examples.key { object[key] = examples.words }
    object["remedy"] = remedy?.sentence
    object["advice"] = advice
    object["deletesObjects"] = remedy?.deletesObjects
    return object
  }
}

extension Finding.Examples {
  fileprivate var noun: String {
    switch self {
    case .none, .names, .pairs: ""
    case .rows: "Z_PK "
    case .pages: "page "
    }
  }

  fileprivate var key: String? {
    switch self {
    case .none: nil
    case .rows: "rows"
    case .pairs: "pairs"
    case .pages: "pages"
    case .names: "names"
    }
  }
}
