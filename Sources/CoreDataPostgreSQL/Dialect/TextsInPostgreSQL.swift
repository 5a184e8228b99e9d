import CoreData
import CoreDataPredicates
import Foundation

/// The functions and collations that compiled predicates call on the server.
///
/// ```
/// coredata_folded_c    Äpfel → äpfel
/// coredata_folded_d    Äpfel → Apfel
/// coredata_folded_cd   Äpfel → apfel
/// ```
///
/// They are made of the evaluation's own answers for each character, so that the server folds as memory does.
/// Separate marks behind a letter are removed with the diacritics if they are of the common kinds; marks of one
/// script behind letters of another, which nobody writes, are kept.
enum TextsInPostgreSQL {
  static let localized = "coredata_localized"
  static let localizedIgnoringCase = "coredata_localized_c"
  static let localizedStandard = "coredata_localized_standard"

  /// The function that folds a text under these options; `nil` if nothing is folded.
  static func folding(_ options: Comparison.Options) -> String? {
    guard options.folds else { return nil }
    switch options.intersection([.caseInsensitive, .diacriticInsensitive]) {
    case .caseInsensitive: return "coredata_folded_c"
    case .diacriticInsensitive: return "coredata_folded_d"
    case _: return "coredata_folded_cd"
    }
  }

  /// The statements that make the collations.
  static let collations = [
    collation(localized, "und"),
    collation(localizedIgnoringCase, "und-u-ks-level2"),
    collation(localizedStandard, "und-u-kn"),
  ]

  static let functions = [
    function(.caseInsensitive),
    function(.diacriticInsensitive),
    function([.caseInsensitive, .diacriticInsensitive]),
  ]

  /// Texts that are equal in an order are neighbours, whatever their bytes.
  private static func collation(_ name: String, _ locale: String) -> String {
    """
    CREATE COLLATION IF NOT EXISTS \(name) \
    (provider = icu, locale = '\(locale)', deterministic = false)
    """
  }
}

// MARK: - Folding

extension TextsInPostgreSQL {
  private static func function(_ options: Comparison.Options) -> ServerFunction {
    let table = FoldingTable(options)
    let ignoresCase = options.contains(.caseInsensitive)
    var lines = ["IF octet_length(t) = char_length(t) THEN"]
    lines.append("RETURN \(ignoresCase ? "lower(t COLLATE \"C\")" : "t");")
    lines.append("END IF;")
    if options.contains(.diacriticInsensitive) {
      lines.append("t := left(t, 1) || regexp_replace(substr(t, 2), '[\(marks)]', '', 'g');")
    }
    if !table.longer.isEmpty {
      lines.append("IF t ~ '[\(table.longer.map(\.from).joined())]' THEN")
      for (from, to) in table.longer { lines.append("t := replace(t, '\(from)', '\(to)');") }
      lines.append("END IF;")
    }
    lines.append("RETURN translate(t, '\(table.from)', '\(table.to)');")
    return ServerFunction(folding(options) ?? "", lines)
  }

  /// The marks that letters of all scripts may have.
  private static let marks =
    "\\u0300-\\u036f\\u0483-\\u0489\\u1ab0-\\u1ace\\u1dc0-\\u1dff\\u200c\\u20d0-\\u20f0\\ufe20-\\ufe2f"
}

/// The folded form of each character, as the server's `translate` takes it.
private struct FoldingTable {
  /// Characters and, at the same places, those that they fold to.
  private(set) var from = ""
  private(set) var to = ""
  /// Characters that fold to several.
  private(set) var longer: [(from: String, to: String)] = []

  init(_ options: Comparison.Options) {
    // The server looks from the beginning for each character of a text: the most frequent come first.
    for scalar in " etaoinsrhldcumfpgwybvkxjqz0123456789.,-;:!?".unicodeScalars {
      append(scalar, String(scalar))
    }
    for scalar in Self.candidates {
      let folded = options.folded(String(scalar))
      if folded.utf8.elementsEqual(String(scalar).utf8) { continue }
      if folded.unicodeScalars.count == 1 {
        append(scalar, folded)
      } else {
        longer.append((String(scalar), folded))
      }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ folded: String) {
    from.unicodeScalars.append(scalar)
    to += folded
  }

  /// All characters but those of scripts without letters of two cases or with marks.
  private static let candidates: [Unicode.Scalar] = {
    let ranges: [ClosedRange<UInt32>] = [
      0x41...0x5A, 0xA0...0x33FF, 0xA640...0xABFF, 0xF900...0xFFFD, 0x10400...0x11FFF,
      0x16E00...0x16EFF, 0x1D100...0x1D1FF, 0x1E900...0x1E9FF,
    ]
    return ranges.joined().compactMap(Unicode.Scalar.init)
  }()
}
