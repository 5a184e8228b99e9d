/// Texts as fields of comma-separated values.
package enum CSVText {
  /// Whether a spreadsheet may take a text for a formula: some pass over blanks and invisible characters, and then look
  /// at the rest.
  package static func mayBeFormula(_ text: String) -> Bool {
    for scalar in text.unicodeScalars {
      if formulaBeginnings.contains(scalar) { return true }
      let properties = scalar.properties
      guard properties.isWhitespace || properties.generalCategory == .format else { return false }
    }
    return false
  }

  /// With the wide signs, which spreadsheets of some languages take for the others.
  private static let formulaBeginnings: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n",
  ]

  /// The field of a text: in quotation marks if a comma, a line or a blank would be lost otherwise.
  package static func quoted(_ text: String) -> String {
    // Nothing at all would be no value.
    if text.isEmpty { return "\"\"" }
    var text = text
    let isPlain = text.withUTF8 { bytes in
      guard bytes.first != 0x20, bytes.last != 0x20 else { return false }
      for byte in bytes where separates(byte) { return false }
      return true
    }
    return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// Whether a byte within a field needs quotation marks around it.
  private static func separates(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    case _: false
    }
  }
}
