import Foundation

/// PgBouncer in front of a server of a test run: it lends a connection of the server for one transaction at a time,
/// each time the one that has waited longest.
///
/// It has a socket of its own and, as the server, is looked after by a shell that ends with this process.
public final class DatabasePooler: Sendable {
  /// Whether Debian's packages are there; says so loudly if they are not.
  public static let isInstalled: Bool = {
    guard DatabaseServer.isInstalled else { return false }
    if FileManager.default.isExecutableFile(atPath: program) { return true }
    let words =
      "No test runs behind a pooler: \(program) is missing. Install the package pgbouncer.\n"
    FileHandle.standardError.write(Data(words.utf8))
    return false
  }()

  private static let program = "/usr/sbin/pgbouncer"

  private let server: DatabaseServer
  private let folder: String
  private let shell: ChildProgram

  /// Starts a pooler with so many connections to each database of the server, and settings of its own language.
  public init(
    of server: DatabaseServer,
    connections: Int,
    settings: [String: String] = [:]
  ) throws {
    self.server = server
    let temporary = FileManager.default.temporaryDirectory
    folder = temporary.appendingPathComponent("coredata-pool-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let own = [
      "pool_mode": "transaction", "listen_addr": "", "unix_socket_dir": folder,
      "unix_socket_mode": "0777",
      "pidfile": folder + "/pid", "auth_type": "any", "server_round_robin": "1",
      "default_pool_size": "\(connections)",
    ]
    let lines = own.merging(settings) { _, given in given }.map { "\($0) = \($1)" }.sorted()
    let text = """
      [databases]
      * = host=\(server.folder) user=tests
      [pgbouncer]
      \(lines.joined(separator: "\n"))

      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/settings.ini"))
    shell = try ChildProgram(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", Self.script, "sh", folder, Self.program],
      input: .pipe,
      output: .pipe
    )
    let words = String(decoding: shell.output.availableData, as: UTF8.self)
    guard words.hasPrefix("ready") else { throw DatabaseServer.NotStarted(words: words) }
  }

  /// As root the pooler runs as the user of the server's package: it refuses to be root.
  private static let script = """
    folder=$1; pooler=$2; as=
    trap '' INT TERM HUP
    if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; as="runuser -u postgres --"; fi
    cd "$folder" || exit 1
    $as "$pooler" "$folder/settings.ini" > "$folder/log" 2>&1 < /dev/null &
    tries=0
    until [ -S "$folder/.s.PGSQL.6432" ]; do
      tries=$((tries + 1))
      if [ $tries = 600 ]; then cat "$folder/log"; exit 1; fi
      sleep 0.05
    done
    echo ready
    read -r _
    [ -s "$folder/pid" ] && kill -TERM "$(cat "$folder/pid")"
    wait $!
    rm -rf "$folder"
    """
}

extension DatabasePooler {
  /// Ends the pooler and with it all connections, and waits for that.
  public func stop() throws {
    try shell.input.close()
    shell.wait()
  }

  /// Makes a database with nothing in it, and returns the ways to it: through the pooler, and past it.
  public func makeDatabase() throws -> (pooled: String, direct: String) {
    let direct = try server.makeDatabase()
    guard let name = URL(string: direct)?.lastPathComponent else {
      throw CocoaError(.fileNoSuchFile)
    }
    return ("postgresql:///\(name)?host=\(folder)&port=6432", direct)
  }
}
