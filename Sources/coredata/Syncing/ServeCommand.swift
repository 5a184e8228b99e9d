import CoreDataHTTP
import CoreDataSQLite
import CoreDataSyncCore
import CoreDataSyncHTTP
import CoreDataSyncServer
import Foundation

/// `coredata serve`: a server with which devices keep their stores in step.
struct ServeCommand: Command {
  static let words = ["serve"]
  static let summary = "run the server that keeps the stores of several devices in step"
  static let takesDatabases = true
  static let help = """
    coredata serve [FOLDER] [--host HOST] [--port PORT] [--public-url URL] [--zone NAME] [--limit SIZE]
                   [--token-file FILE] [--connections COUNT] [--salvage]
    coredata serve FOLDER --new-token ROLE [--zone NAME] [--label TEXT] [--public-url URL]
                   [--token-file FILE]
    coredata serve FOLDER --tokens
    coredata serve FOLDER --revoke NUMBER
    coredata serve FOLDER --zones
    coredata serve FOLDER --set-limit SIZE [--zone NAME]
    coredata serve --store ADDRESS …     the same with a PostgreSQL database in the place of FOLDER

    Keeps the changes of zones in one SQLite file, FOLDER/zones.sqlite, and hands them on. A zone is
    what some devices share. The first time, the server prints an address with a token, and the same
    as a pairing code; paste one of them into the programs that are to follow each other. The server
    keeps only a hash of the token, and cannot print it again. Where others may read what the server
    prints, as in the journal of a service, give it a --token-file. With coredata sync pair --encrypt,
    the devices get a key that the server does not have. Large values are files in FOLDER/assets.

      FOLDER             where the file is; without it, coredata-sync in the current folder
      --store ADDRESS    the PostgreSQL database that keeps everything, large values too, in tables
                         whose names begin with sync_: postgresql://notes@db.example.org/notes. Several
                         servers may have the same one. Leave the password to ~/.pgpass or PGPASSWORD;
                         other users of the machine see command lines. A pooler in front of it must lend
                         connections for a session, not for one transaction
      --host HOST        the name or number to listen at; the default is 127.0.0.1, which only this
                         machine reaches; 0.0.0.0 and :: mean all addresses of the machine. For devices
                         elsewhere, keep the default, and let a proxy with TLS stand before the server
      --port PORT        the default is 8788; 0 is any that is free
      --public-url URL   where devices reach the server, such as https://notes.example.org: it stands in
                         printed addresses and pairing codes. Without it, they have --host and --port
      --zone NAME        the zone of the token, or of --set-limit; the default is Notes.
                         Give each program a zone of its own: in one zone, they would get each
                         other's objects
      --limit SIZE       how much a zone may keep, such as 500MB or 2GB, unless it has a limit of its
                         own; the default is no limit. What has no room is not lost: it waits on the
                         device
      --connections N    how many connections there may be at once; the default is \(HTTPServer.usualConnections).
                         A device that waits for changes has one. Each is an open file: where the system
                         allows fewer files (ulimit -n), there are fewer connections
      --salvage          before serving, put what can be read of a damaged zones.sqlite into a new one.
                         Devices read everything again, and send what they have and the server lacks.
                         The damaged file is kept beside it, as zones.sqlite.damaged-1. A file that is
                         not damaged stays as it is
      --new-token ROLE   print an address with a new token and its pairing code, and end. The role is
                         read, for a device that only follows; write, for one that also sends changes;
                         or admin, for one that may also make and revoke tokens of the zone.
                         With server, a token alone is printed, for a program that makes zones and
                         their tokens, or that reads GET /metrics for Prometheus; it opens no zone,
                         so leave --zone out. Documentation/SyncProtocol.md describes the requests
      --label TEXT       what the token is for, such as the name of a device
      --token-file FILE  write the address with the token and its pairing code to a new file, which only
                         you can read, and do not print them. A file that exists is not replaced, and
                         then no token is made. A start that makes no token leaves the file alone
      --tokens           list the tokens: number, zone, role, state, label
      --revoke NUMBER    revoke a token; whoever has it is refused from the next request on
      --zones            list the zones: name, how much each keeps, its own limit
      --set-limit SIZE   give a zone a limit of its own, also while the server runs: a size, none for
                         as much as the disk has, or default for that of --limit

    Stop the server with Ctrl-C. Whatever was confirmed to a device is in the file, also when the
    server is killed. What its owner should know, such as that a disk is full, goes to the standard
    error. To make a backup, copy the file with sqlite3 zones.sqlite ".backup …", and then the folder
    assets, into a folder that only you may read, because the copy has all values. A server that is
    restored from a backup gets back from the devices what the backup lacks, but no tokens: those that
    were revoked since then are valid again, and those that were made since then open nothing. A
    database is dumped and restored with PostgreSQL's own tools, into new tables, while no server uses
    it.

    Once a day the server forgets what all devices know to be deleted, and deletes large values that
    nothing refers to for 30 days. A device that was away for 90 days, while others were not, fetches
    everything anew.

      coredata serve
      coredata serve /srv/notes --public-url https://notes.example.org
      coredata serve /srv/notes --new-token read --label 'kitchen tablet' \\
        --public-url https://notes.example.org
      coredata serve /srv/notes --zone Notes --set-limit 2GB
      coredata serve --store postgresql://notes@db.example.org/notes --host 10.0.0.5

    \(CoreDataCommand.exitStatuses)
    """

  let place: ServerPlace
  let host: String
  let port: Int
  let publicName: ServerName?
  let zone: String
  let label: String
  let tokenFile: TokenFile?
  let limit: Int?
  let connections: Int
  let salvages: Bool
  private let work: Work

  private enum Work {
    case serve
    case makeToken(TokenRole)
    case listTokens
    case revoke(Int)
    case listZones
    case setLimit(Int?)
  }

  init(_ arguments: inout CommandArguments) throws {
    let namedHost = try arguments.value(ifGiven: "--host")
    host = namedHost ?? "127.0.0.1"
    let namedPort = try arguments.number(ifGiven: "--port")
    port = namedPort ?? 8788
    publicName = try arguments.value(ifGiven: "--public-url").map {
      try ServerName(publicURL: $0, of: arguments)
    }
    let namedZone = try arguments.value(ifGiven: "--zone")
    zone = namedZone ?? "Notes"
    let namedLabel = try arguments.value(ifGiven: "--label")
    label = namedLabel ?? ""
    tokenFile = try arguments.value(ifGiven: "--token-file").map { TokenFile(path: $0) }
    let roles = TokenRole.allCases.map(\.rawValue)
    let role = try arguments.choice(ifGiven: "--new-token", among: roles)
    let lists = arguments.flag("--tokens")
    let revoked = try arguments.number(ifGiven: "--revoke")
    let listsZones = arguments.flag("--zones")
    let ownLimit = try arguments.value(ifGiven: "--set-limit")
    limit = try arguments.value(ifGiven: "--limit").map { try arguments.limit($0, of: "--limit") }
    let namedConnections = try arguments.number(ifGiven: "--connections")
    connections = namedConnections ?? HTTPServer.usualConnections
    salvages = arguments.flag("--salvage")
    guard (1...1 << 16).contains(connections) else {
      throw arguments.mistake("--connections takes a number from 1 to \(1 << 16)")
    }
    place = try ServerPlace(&arguments)
    try arguments.finish()
    try Self.requireOne(
      of: [
        ("--new-token", role != nil), ("--tokens", lists), ("--revoke", revoked != nil),
        ("--zones", listsZones), ("--set-limit", ownLimit != nil),
      ],
      in: arguments
    )
    if namedZone != nil, lists || listsZones || revoked != nil {
      throw arguments.mistake("--tokens, --zones and --revoke are for all zones; leave --zone out")
    }
    if lists || listsZones || revoked != nil || ownLimit != nil {
      try Self.requireNone(
        of: [
          ("--host", namedHost != nil), ("--port", namedPort != nil),
          ("--public-url", publicName != nil), ("--label", namedLabel != nil),
          ("--token-file", tokenFile != nil),
        ],
        in: arguments
      )
    }
    if role == TokenRole.server.rawValue {
      guard namedZone == nil else {
        throw arguments.mistake("a token of the server is for all zones; leave --zone out")
      }
      try Self.requireNone(
        of: [
          ("--host", namedHost != nil), ("--port", namedPort != nil),
          ("--public-url", publicName != nil),
        ],
        in: arguments
      )
    } else if role != nil {
      try Self.requireReachable(host, port, in: arguments)
    }
    if namedConnections != nil,
      role != nil || lists || revoked != nil || listsZones || ownLimit != nil
    {
      throw arguments.mistake("--connections is for serving, and changes nothing here")
    }
    if limit != nil, role != nil || lists || revoked != nil {
      throw arguments.mistake(
        "--limit is for serving, and changes nothing here; --set-limit gives one zone a limit of its own"
      )
    }
    if salvages {
      guard role == nil, !lists, revoked == nil, !listsZones, ownLimit == nil else {
        throw arguments.mistake("--salvage is for serving, and changes nothing here")
      }
      if case .database = place {
        throw arguments.mistake(
          "--salvage is for a folder; a database is restored with its own tools"
        )
      }
    }
    guard SyncAddress.isZone(zone) else {
      throw arguments.mistake("'\(zone)' is no name of a zone; use letters, digits, . - and _")
    }
    if let role = role.flatMap(TokenRole.init) {
      work = .makeToken(role)
    } else if lists {
      work = .listTokens
    } else if let revoked {
      work = .revoke(revoked)
    } else if listsZones {
      work = .listZones
    } else if let ownLimit {
      let isDefault = ownLimit == "default"
      work = .setLimit(isDefault ? nil : try arguments.limit(ownLimit, of: "--set-limit"))
    } else {
      work = .serve
    }
  }

  /// Refuses a host and a port at which no server listens: an address with them would be handed out for nothing.
  private static func requireReachable(
    _ host: String,
    _ port: Int,
    in arguments: CommandArguments
  ) throws(Mistake) {
    guard (1...65_535).contains(port) else {
      throw arguments.mistake("--port takes the number from 1 to 65535 at which the server listens")
    }
    let isName = host.allSatisfy { letter in
      letter.isASCII && (letter.isLetter || letter.isNumber || "-._".contains(letter))
    }
    let isNumber = host.prefix { $0 != "%" }.allSatisfy { $0.isHexDigit || ":.".contains($0) }
    guard !host.isEmpty, isName || isNumber else {
      throw arguments.mistake(
        "--host takes the name or the number of a machine; --public-url takes an address with https://"
      )
    }
  }

  /// Refuses options of which each is something to do by itself; only one of them would be done.
  private static func requireOne(
    of options: [(name: String, isGiven: Bool)],
    in arguments: CommandArguments
  ) throws(Mistake) {
    let given = options.filter { $0.isGiven }.map { $0.name }
    guard let last = given.last, given.count > 1 else { return }
    let others = given.dropLast().joined(separator: ", ")
    throw arguments.mistake("\(others) and \(last) exclude each other; give one of them at a time")
  }

  /// Refuses options about a new token, or about the server's address, if there is neither.
  private static func requireNone(
    of options: [(name: String, isGiven: Bool)],
    in arguments: CommandArguments
  ) throws(Mistake) {
    guard let idle = options.first(where: { $0.isGiven }) else { return }
    throw arguments.mistake(
      "\(idle.name) is for serving and for --new-token of a zone; it changes nothing here, so leave it out"
    )
  }

  func run() throws {
    // The devices' data is for the eyes of the server's owner.
    umask(0o077)
    do {
      try perform()
    } catch let error as SQLiteError {
      throw place.refusal(for: error)
    }
  }

  private func perform() throws {
    switch work {
    case .serve: try serve()
    case .makeToken(.server):
      Self.outliveReaders()
      try handOutServerToken(in: try book())
    case .makeToken(let role):
      Self.outliveReaders()
      let name = publicName ?? .listening(ListeningAddress(host: host, port: port))
      // Before a token is made, which nobody would get to know.
      let server = try name.text
      try handOut(role, in: try book(), server) { address, output in
        try output.line("\(address)\n\(address.pairingCode)")
      }
    case .listTokens:
      for token in try book().all(of: nil) { print(token.line) }
    case .revoke(let number):
      guard try book().revoke(Int64(number), of: nil) else {
        throw Refusal(
          "There is no token of the number \(number); \(place.words) --tokens lists them."
        )
      }
      print("Token \(number) is revoked.")
    case .listZones:
      for (name, holding) in try service(in: try place.known()).holdings() {
        print("\(name)\t\(Self.words(holding))")
      }
    case .setLimit(let bytes):
      let service = service(in: try place.known())
      try service.setLimit(bytes, of: zone)
      print("The zone \(zone) keeps \(Self.words(try service.holding(of: zone))).")
    }
  }

  private func book() throws -> TokenBook { TokenBook(try place.known().tokens) }

  private static func words(_ holding: ZoneHolding) -> String {
    let room =
      switch holding.limit {
      case nil: ", without a limit of its own"
      case .max: ", without a limit"
      case let limit?: " of \(limit.asBytes)"
      }
    return holding.bytes.asBytes + room
  }
}
