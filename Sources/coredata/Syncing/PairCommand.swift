import CoreData
import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncDevice
import Foundation

/// `coredata sync pair`: the text with which another device joins.
struct PairCommand: Command {
  static let words = ["sync", "pair"]
  static let summary =
    "make the pairing code with which another device joins, and say what one holds"
  static let help = """
    coredata sync pair ADDRESS [--encrypt | --passphrase] [--print code|address]

    Prints the server, the zone, whether the address has a key ("encrypted"), and a pairing code. The
    pairing code is the address in another form, with the token and the key, and with a checksum that
    finds a wrong letter. Programs take it in place of an address. Whoever has it can do what its token
    allows, such as read and write the zone.

    All devices of an encrypted zone need the same key, even if each of them has a token of its own from
    coredata serve --new-token. To give the key to an address with a new token:

      - If the key was made with --passphrase, run coredata sync pair ADDRESS --passphrase with the new
        address, and type the same passphrase.
      - If the key was made with --encrypt, run coredata sync pair CODE --print address with the code of
        a device that has the key. In the printed address, the key is what follows the last dot. Append
        the dot and the key to the new address.

    Do not use --encrypt with the new address: it would make another key, which opens nothing in the
    zone.

      ADDRESS        what coredata serve has printed, or a pairing code; - reads it from the standard
                     input, so that nobody sees it in the list of running programs
      --encrypt      give the code a new key, unless it has one. As soon as the first device has joined
                     with it, the server can read neither values nor names. Do it once, and give all
                     devices this code: without the key, nobody can read the zone again
      --passphrase   make the key from a passphrase, which you are asked for, or which is the next line
                     of the standard input. The server is asked for the zone's salt; the first
                     passphrase is the zone's for ever
      --print WHAT   print only the code, or only the address

      coredata sync pair 'http://192.168.1.5:8788/Notes#k3v9…' --encrypt
      coredata sync pair 'https://notes.example.org/Notes#7b2p….8mq2…' --print code

    \(CoreDataCommand.exitStatuses)
    """

  private let text: String
  private let encrypts: Bool
  private let asksPassphrase: Bool
  private let only: String?

  init(_ arguments: inout CommandArguments) throws {
    encrypts = arguments.flag("--encrypt")
    asksPassphrase = arguments.flag("--passphrase")
    only = try arguments.choice(ifGiven: "--print", among: ["code", "address"])
    text = try arguments.operand("an address or a pairing code")
    try arguments.finish()
    guard !encrypts || !asksPassphrase else {
      throw arguments.mistake("--encrypt and --passphrase are two ways to a key; choose one")
    }
  }

  func run() throws {
    let address = try protected(try given())
    switch only {
    case "code": print(address.pairingCode)
    case "address": print(address.description)
    default:
      print(
        """
        server      \(address.server)
        zone        \(address.zone)
        encrypted   \(address.key == nil ? "no" : "yes")
        \(address.pairingCode)
        """
      )
    }
  }

  private func given() throws -> SyncAddress {
    let text = text == "-" ? readLine() ?? "" : text
    do {
      return try SyncAddress(text)
    } catch {
      throw Refusal(error.sentence)
    }
  }

  private func protected(_ address: SyncAddress) throws -> SyncAddress {
    var address = address
    if encrypts { address.key = address.key ?? .random() }
    guard asksPassphrase else { return address }
    do {
      return try ZoneExchange.address(address, passphrase: Self.passphrase())
    } catch let problem as NSPersistentCloudKitContainer.SyncProblem {
      throw Refusal(problem.description)
    }
  }

  /// A line of the input; at a terminal it is asked for, and not shown.
  private static func passphrase() -> String {
    guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
    var shown = termios()
    tcgetattr(STDIN_FILENO, &shown)
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
    Output.tell { try $0.write("Passphrase: ") }
    defer { Output.tell { try $0.line() } }
    return readLine() ?? ""
  }
}
