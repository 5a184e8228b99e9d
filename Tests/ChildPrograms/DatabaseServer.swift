import Foundation

/// A PostgreSQL server of a test run: started when the first test wants it, in a temporary folder, behind a socket
/// of its own, and gone with the process, however that ends.
///
/// A shell looks after it. The shell's input is held open by this process, and ends with it.
public final class DatabaseServer: Sendable {
  /// Whether Debian's package is there; says so loudly where it is not.
  public static let isInstalled: Bool = {
    if programs != nil { return true }
    let words =
      "No test runs on PostgreSQL: /usr/lib/postgresql is missing. Install the package postgresql.\n"
    FileHandle.standardError.write(Data(words.utf8))
    return false
  }()

  /// The newest of the installed servers.
  private static let programs: String? = {
    let root = "/usr/lib/postgresql"
    // Where there is no such folder nothing is installed.
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.compactMap(Int.init).sorted().last.map { "\(root)/\($0)/bin" }
      .flatMap { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") ? $0 : nil }
  }()

  /// The server of this process; tests that want others make them.
  public static let shared: DatabaseServer = {
    do {
      return try DatabaseServer()
    } catch {
      fatalError("the PostgreSQL server of the tests does not start: \(error)")
    }
  }()

  let folder: String
  private let shell: ChildProgram

  public convenience init() throws {
    try self.init(replicaOf: nil)
  }

  /// Starts a server that follows another one, and ends sessions there that would make it wait.
  public convenience init(following primary: DatabaseServer) throws {
    try self.init(replicaOf: primary.folder)
  }

  private init(replicaOf primary: String?) throws {
    guard let programs = Self.programs else { throw CocoaError(.fileNoSuchFile) }
    // A socket's path has room for a hundred bytes.
    let temporary = FileManager.default.temporaryDirectory
    folder = temporary.appendingPathComponent("coredata-pg-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    shell = try ChildProgram(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", Self.script, "sh", folder, programs, primary ?? ""],
      input: .pipe,
      output: .pipe
    )
    let words = String(decoding: shell.output.availableData, as: UTF8.self)
    guard words.hasPrefix("ready") else { throw NotStarted(words: words) }
  }

  struct NotStarted: Error {
    let words: String
  }

  /// As root the server runs as the user of Debian's package: it refuses to be root.
  private static let script = """
    folder=$1; bin=$2; primary=$3; as=
    trap '' INT TERM HUP
    if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; as="runuser -u postgres --"; fi
    cd "$folder" || exit 1
    if [ -n "$primary" ]; then set -- pg_basebackup -h "$primary" -U tests -R -c fast
    else set -- initdb -U tests -A trust -E UTF8 --locale=C --no-instructions; fi
    maker=$1; shift
    if ! $as "$bin/$maker" -D "$folder/data" --no-sync "$@" > "$folder/$maker.log" 2>&1; then
      cat "$folder/$maker.log"; exit 1
    fi
    $as "$bin/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c full_page_writes=off \\
      -c synchronous_commit=off -c max_connections=500 -c shared_buffers=32MB -c max_wal_size=256MB \\
      -c max_standby_streaming_delay=0 \\
      > "$folder/log" 2>&1 < /dev/null &
    server=$!
    tries=0
    until "$bin/pg_isready" -q -h "$folder"; do
      tries=$((tries + 1))
      if [ $tries = 600 ]; then cat "$folder/log"; exit 1; fi
      sleep 0.1
    done
    echo ready
    read -r _
    [ -s "$folder/data/postmaster.pid" ] && kill -INT "$(head -1 "$folder/data/postmaster.pid")"
    wait $server
    rm -rf "$folder"
    """
}

// MARK: - Its end

extension DatabaseServer {
  /// Ends the server before the process does, and waits for that.
  public func stop() throws {
    try shell.input.close()
    shell.wait()
  }
}

// MARK: - Databases

extension DatabaseServer {
  /// The address of the server's own database.
  public var address: String { address(of: "postgres") }

  /// Makes a database with nothing in it, and returns its address.
  public func makeDatabase() throws -> String {
    guard let programs = Self.programs else { throw CocoaError(.fileNoSuchFile) }
    let name = "own_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    let outcome = try ChildProgram.run(
      URL(fileURLWithPath: programs + "/createdb"),
      ["-h", folder, "-U", "tests", name]
    )
    guard outcome.status == 0 else { throw NotStarted(words: outcome.errors) }
    return address(of: name)
  }

  private func address(of name: String) -> String { "postgresql://tests@/\(name)?host=\(folder)" }
}
