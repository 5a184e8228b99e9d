import CoreDataStrictJSON
public import Foundation

/// The command line of a program with pages.
///
///     notes --port 8080 --host 0.0.0.0 --allow-host notes.example --store Notes.sqlite
public struct ProgramOptions: Sendable, Equatable {
  public var host = "127.0.0.1"
  public var port: Int
  /// Names under which browsers may ask, beside localhost.
  public var names: [String] = []
  public var store: URL?
  public var wantsHelp = false
  /// Whether to make a new key, so that every browser has to open the new address.
  public var wantsNewKey = false
  /// The numbers behind options of the program's own.
  public var counts: [String: Int] = [:]
  /// The addresses of databases behind options of the program's own, each of which may be given several times.
  public var addresses: [String: [URL]] = [:]

  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - arguments: The words of the command line, without the program's name.
  ///   - port: The port to listen at if the command line names none.
  ///   - own: Options of the program that take a number from 1 to ten million.
  ///   - places: Options of the program that take the address of a database.
  ///   - hasKey: `false` for a program that lets everybody in.
  /// - Throws: A `Problem` with status 400 that names the argument.
  public init(
    _ arguments: some Collection<String>,
    port: Int,
    counts own: Set<String> = [],
    addresses places: Set<String> = [],
    hasKey: Bool = true
  ) throws(Problem) {
    self.port = port
    var arguments = Array(arguments)[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--new-key" where hasKey: wantsNewKey = true
      case "--host": host = try Self.value(of: argument, &arguments)
      // The second is its name in older versions.
      case "--allow-host", "--name": names.append(try Self.value(of: argument, &arguments))
      case "--store": store = try Self.place(Self.value(of: argument, &arguments))
      case "--port":
        let text = try Self.value(of: argument, &arguments)
        guard let port = WholeNumber.read(text, within: 0...65_535) else {
          throw Problem(400, "\(text) is no port; ports go from 0 (any that is free) to 65535")
        }
        self.port = port
      case _ where own.contains(argument):
        let text = try Self.value(of: argument, &arguments)
        guard let count = WholeNumber.read(text, within: 1...10_000_000) else {
          throw Problem(400, "\(argument) needs a number from 1 to 10000000, not \(text)")
        }
        counts[argument] = count
      case _ where places.contains(argument):
        let text = try Self.value(of: argument, &arguments)
        addresses[argument, default: []].append(try Self.address(text, of: argument))
      case _: throw Problem(400, "unknown argument \(argument); --help lists those there are")
      }
    }
  }

  /// A file, or the address of a database.
  private static func place(_ text: String) throws(Problem) -> URL {
    try text.contains("://") ? address(text, of: "--store") : URL(fileURLWithPath: text)
  }

  private static func address(
    _ text: String,
    of argument: String
  ) throws(Problem) -> URL {
    guard text.contains("://"), let url = URL(string: text) else {
      throw Problem(
        400,
        "the address behind \(argument) is none; write signs such as @ in it as %40, and several hosts with their"
          + " ports as postgresql:///DATABASE?host=HOST,HOST&port=PORT,PORT"
      )
    }
    if hasSecret(url) {
      throw Problem(
        400,
        "the address behind \(argument) has a password or another secret, which everybody on this machine can read in the list of"
          + " programs; keep it in ~/.pgpass"
      )
    }
    return url
  }

  /// Whether an address has something in it that nobody else shall read.
  private static func hasSecret(_ url: URL) -> Bool {
    // An address that cannot be taken apart may have one.
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return true }
    let names = (parts.queryItems ?? []).map { $0.name.lowercased() }
    return parts.password != nil || names.contains { secrets.contains($0) }
  }

  /// The words of libpq for secret settings.
  private static let secrets: Set<String> = [
    "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
  ]

  private static func value(
    of argument: String,
    _ arguments: inout ArraySlice<String>
  ) throws(Problem) -> String {
    // The next option is not a value, nor is an empty variable of the shell.
    guard let value = arguments.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw Problem(400, "\(argument) needs a value; --help says which")
    }
    return value
  }

  /// The arguments of the command line.
  ///
  /// Where there is no `/proc`, Swift knows none; then they are those in the environment: `BOOKSERVER_ARGUMENTS`
  /// for `bookserver`.
  public static func arguments(of program: String) -> [String] {
    let given = Array(CommandLine.arguments.dropFirst())
    if !given.isEmpty { return given }
    return ProcessInfo.processInfo.environment["\(program.uppercased())_ARGUMENTS"]?
      .split(separator: " ").map(String.init) ?? []
  }

  /// The help of a program; `own` are options that others do not have, as in `[--fill N]`.
  public static func usage(
    _ program: String,
    _ summary: String,
    port: Int,
    own: [String] = [],
    hasKey: Bool = true
  ) -> String {
    let newKey =
      hasKey
      ? """

        --new-key       make a new key: every browser then has to open the new
                        address, and the old one lets nobody in

      """ : "\n"
    let margin = String(repeating: " ", count: "USAGE: \(program) ".count)
    let all = (hasKey ? ["[--new-key]"] : []) + own
    let more = all.isEmpty ? "" : "\n\(margin)\(all.joined(separator: " "))"
    return """
      USAGE: \(program) [--port PORT] [--host ADDRESS] [--allow-host NAME] [--store FILE]\(more)

      \(summary)

        --port PORT     where to listen; 0 takes any port that is free (\(port))
        --host ADDRESS  who can reach it: 127.0.0.1 is this machine alone,
                        0.0.0.0 everybody in the network (127.0.0.1)
        --allow-host NAME
                        a name or address under which browsers may ask, beside
                        localhost; other machines may ask only where one is given
        --store FILE    where the SQLite file is or shall be;
                        otherwise the program's folder for data of the user\(newKey)\
        --help          this text
      """
  }

  /// How the server shall behave; without the key, which is kept beside the store.
  public var configuration: ServerConfiguration {
    ServerConfiguration(host: host, port: port, allowedHosts: names)
  }

  /// The same with the key of a program, which is kept beside its store: `Notes.sqlite.access-key`.
  ///
  /// - Throws: A `Problem` where the key cannot be written.
  public func configuration(of program: String, store: URL) throws -> ServerConfiguration {
    var configuration = configuration
    let file = store.appendingPathExtension("access-key")
    configuration.key =
      wantsNewKey
      ? AccessKey(program: program, in: file) : try AccessKey.kept(in: file, program: program)
    return configuration
  }
}
