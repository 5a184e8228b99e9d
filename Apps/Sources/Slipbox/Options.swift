import Foundation
import StrictJSON

/// What the program was asked to do.
struct Options: Equatable {
  var port = 8080
  var host = "127.0.0.1"
  /// Names under which other machines may ask.
  var allowedHosts: [String] = []
  var store: URL?
  var hasSamples = true
  var wantsHelp = false
  /// How many notes to fill the store with before it is served, for measuring.
  var fill: Int?

  static let help = """
    slipbox — a slip box of linked notes, in the browser

    usage: slipbox [--port 8080] [--host 127.0.0.1 [--allow-host NAME]] [--store FOLDER] [--no-samples]

      --port NUMBER    where to listen; 0 takes any port that is free
      --host ADDRESS   the address to listen at; only this machine reaches 127.0.0.1
      --allow-host NAME
                       a name or address under which browsers may ask; without one, other machines
                       may not, whatever --host says
      --store FOLDER   where the notes are kept, unless in ~/.local/share/slipbox
      --no-samples     begin without the notes that explain the program
      --help           this text

    The address that is printed at the start has a key in it, which the browser keeps: open it once. The key
    is in the file access-key in the folder of the notes; remove that file, and the next start makes another.
    """

  /// Reads the arguments; throws a sentence about the first that cannot be understood.
  init(_ arguments: [String]) throws(OptionsError) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--port": port = try Self.number(after: word, &rest, 0...65_535)
      case "--host": host = try Self.value(after: word, &rest)
      case "--allow-host": allowedHosts.append(try Self.value(after: word, &rest))
      case "--store":
        store = URL(fileURLWithPath: try Self.value(after: word, &rest), isDirectory: true)
      case "--fill": fill = try Self.number(after: word, &rest, 1...10_000_000)
      case "--no-samples": hasSamples = false
      case "--help", "-h": wantsHelp = true
      default:
        throw OptionsError("There is no option \(word). slipbox --help lists what there is.")
      }
    }
  }

  private static func value(
    after word: String,
    _ rest: inout ArraySlice<String>
  ) throws(OptionsError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw OptionsError("\(word) needs a value behind it.")
    }
    return value
  }

  private static func number(
    after word: String,
    _ rest: inout ArraySlice<String>,
    _ range: ClosedRange<Int>
  ) throws(OptionsError) -> Int {
    let text = try value(after: word, &rest)
    guard let number = WholeNumber.read(text, within: range) else {
      throw OptionsError(
        "\(word) takes a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”."
      )
    }
    return number
  }
}

/// Why arguments cannot be understood.
struct OptionsError: Error, Equatable {
  let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }
}
