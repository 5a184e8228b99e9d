import CoreDataStrictJSON
import Foundation
import SlipboxLibrary

/// The options of the program.
struct Options: Equatable {
  var port = 8080
  var host = "127.0.0.1"
  /// Names under which other machines may ask.
  var allowedHosts: [String] = []
  /// The folder with the notes; or with this machine's files, if the notes are in a database.
  var store: URL?
  /// The place of the notes, unless they are in a file.
  var database: DatabasePlace?
  var hasSamples = true
  var wantsHelp = false
  /// The file with styles of the owner, unless it is `theme.css` in the folder.
  var theme: URL?
  /// Whether to make a new key, so that every browser has to open the new address.
  var wantsNewKey = false
  /// How many notes to fill the store with before it is served, for measuring.
  var fill: Int?

  static let help = """
    slipbox — a slip box of linked notes, in the browser

    usage: slipbox [--port 8080] [--host 127.0.0.1 [--allow-host NAME]] [--store FOLDER] [--no-samples] [--new-key]
           slipbox --store postgresql://USER@HOST/DATABASE [--zone NAME] [--folder FOLDER] …

      --port NUMBER    where to listen; 0 takes any port that is free
      --host ADDRESS   the address to listen at; only this machine reaches 127.0.0.1
      --allow-host NAME
                       a name or address under which browsers may ask; without one, other machines
                       may not, whatever --host says
      --store FOLDER   where the notes are kept, unless in ~/.local/share/slipbox
      --store ADDRESS  the PostgreSQL database with the notes, which several machines may have open. An
                       address with a password is read from the environment, as SLIPBOX_STORE; or leave
                       the password to ~/.pgpass. Behind PgBouncer with pool_mode = transaction, end
                       it with ?pooling=transaction
      --zone NAME      which notes of the database: each zone is a slip box of its own
      --folder FOLDER  with a database, where this machine keeps its key and what is uploaded, unless in
                       ~/.local/share/slipbox/database
      --theme FILE     your own colours and typefaces for the pages, in CSS, unless in theme.css in the folder
                       of the notes
      --no-samples     begin without the notes that explain the program
      --new-key        make a new key: every browser has to open the new address once, and the old one
                       lets nobody in
      --help           this text

    The address that is printed at the start has a key in it, which the browser keeps: open it once. The key
    is in the file access-key in the folder of the notes.
    """

  /// Reads the arguments; throws a sentence about the first that cannot be understood.
  ///
  /// `environment` has the address of a database that nobody shall read in the list of programs.
  init(_ arguments: [String], environment: [String: String] = [:]) throws(OptionsError) {
    var rest = arguments[...]
    var (place, zone, folder): (String?, String?, String?) = (nil, nil, nil)
    while let word = rest.popFirst() {
      switch word {
      case "--port": port = try Self.number(after: word, &rest, 0...65_535)
      case "--host": host = try Self.value(after: word, &rest)
      case "--allow-host": allowedHosts.append(try Self.value(after: word, &rest))
      case "--store": place = try Self.value(after: word, &rest)
      case "--zone": zone = try Self.value(after: word, &rest)
      case "--folder": folder = try Self.value(after: word, &rest)
      case "--theme": theme = URL(fileURLWithPath: try Self.value(after: word, &rest))
      case "--fill": fill = try Self.number(after: word, &rest, 1...10_000_000)
      case "--no-samples": hasSamples = false
      case "--new-key": wantsNewKey = true
      case "--help", "-h": wantsHelp = true
      default:
        throw OptionsError("There is no option \(word). slipbox --help lists what there is.")
      }
    }
    let isHidden = place == nil
    let hidden = environment["SLIPBOX_STORE"].flatMap { $0.isEmpty ? nil : $0 }
    try take(place ?? hidden, zone, folder, isHidden: isHidden)
  }

  /// Takes the place of the notes; an address that is not among the arguments is hidden.
  private mutating func take(
    _ place: String?,
    _ zone: String?,
    _ folder: String?,
    isHidden: Bool
  ) throws(OptionsError) {
    guard let place, DatabasePlace.isAddress(place) else {
      if zone != nil || folder != nil {
        throw OptionsError("--zone and --folder are for notes in a database.")
      }
      store = place.map { URL(fileURLWithPath: $0, isDirectory: true) }
      return
    }
    guard let database = DatabasePlace(place, zone: zone) else {
      throw OptionsError(
        "The address of the database is none. Write signs such as @ and # in it as %40 and %23, and several "
          + "hosts with their ports as postgresql:///DATABASE?host=HOST,HOST&port=PORT,PORT."
      )
    }
    if database.hasSecret, !isHidden {
      throw OptionsError(
        "The address has a password in it, which everybody on this machine can read in the list of "
          + "programs. Keep it in ~/.pgpass, or give the address in the environment, as SLIPBOX_STORE."
      )
    }
    self.database = database
    store = folder.map { URL(fileURLWithPath: $0, isDirectory: true) }
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
