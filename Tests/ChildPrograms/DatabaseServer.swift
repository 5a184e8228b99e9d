public import Foundation

/// A PostgreSQL server of a test run: started when the first test wants it, in a temporary folder, behind a socket
/// of its own, and gone with the process, however that ends.
///
/// A shell looks after it. The shell's input is held open by this process, and ends with it.
public final class DatabaseServer: Sendable {
  /// Whether Debian's package is there; says so loudly if it is not.
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
    // Without such a folder nothing is installed.
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

  /// The folder of its socket.
  public let folder: String
  private let port: Int
  private let shell: ChildProgram

  /// The peculiarities of a server.
  public struct Terms: Sendable {
    /// The lines of `pg_hba.conf`, where not everybody is let in; the user `tests` has to be.
    public var access: String?
    /// The lines at the end of `postgresql.conf`.
    public var settings: [String] = []
    /// Files beside these, such as certificates, by their names.
    public var files: [String: Data] = [:]
    /// The language in which it speaks, such as `de`, where its catalogues are installed.
    public var language: String?
    /// Its port, which is in the socket's name too.
    public var port = 5432

    public init() {}
  }

  public convenience init(_ terms: Terms = Terms()) throws {
    try self.init(terms, replicaOf: nil)
  }

  /// Starts a server that follows another one, and ends sessions there that would make it wait.
  public convenience init(following primary: DatabaseServer) throws {
    try self.init(Terms(), replicaOf: primary.folder)
  }

  private init(_ terms: Terms, replicaOf primary: String?) throws {
    guard let programs = Self.programs else { throw CocoaError(.fileNoSuchFile) }
    // A socket's path has room for a hundred bytes.
    let temporary = FileManager.default.temporaryDirectory
    folder = temporary.appendingPathComponent("coredata-pg-\(UUID().uuidString.prefix(8))").path
    port = terms.port
    try terms.write(in: URL(filePath: folder).appending(component: "given"))
    shell = try ChildProgram(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c", Self.script, "sh", folder, programs, primary ?? "", String(port),
        terms.language ?? "",
      ],
      input: .pipe,
      output: .pipe
    )
    try hear("ready")
  }

  /// Waits until the shell has said so.
  private func hear(_ word: String) throws {
    let words = String(decoding: shell.output.availableData, as: UTF8.self)
    guard words.hasPrefix(word) else { throw NotStarted(words: words) }
  }

  struct NotStarted: Error {
    let words: String
  }

  /// As root the server runs as the user of Debian's package: it refuses to be root.
  private static let script = """
    folder=$1; bin=$2; primary=$3; port=$4; language=$5; as=
    trap '' INT TERM HUP
    if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; as="runuser -u postgres --"; fi
    cd "$folder" || exit 1
    start() {
      LANGUAGE=$language $as "$bin/postgres" -D "$folder/data" -k "$folder" -p "$port" -c fsync=off -c full_page_writes=off \\
        -c synchronous_commit=off -c max_connections=500 -c shared_buffers=32MB -c max_wal_size=256MB \\
        -c max_standby_streaming_delay=0 \\
        >> "$folder/log" 2>&1 < /dev/null &
      server=$!
      tries=0
      until "$bin/pg_isready" -q -h "$folder" -p "$port"; do
        tries=$((tries + 1))
        if [ $tries = 600 ]; then cat "$folder/log"; exit 1; fi
        sleep 0.1
      done
      echo ready
    }
    halt() {
      [ -s "$folder/data/postmaster.pid" ] && kill -INT "$(head -1 "$folder/data/postmaster.pid")"
      wait $server
    }
    if [ -n "$primary" ]; then set -- pg_basebackup -h "$primary" -U tests -R -c fast
    else set -- initdb -U tests -A trust -E UTF8 --locale=C --no-instructions; fi
    maker=$1; shift
    if ! $as "$bin/$maker" -D "$folder/data" --no-sync "$@" > "$folder/$maker.log" 2>&1; then
      cat "$folder/$maker.log"; exit 1
    fi
    if [ -z "$primary" ]; then
      { echo "listen_addresses = ''"; cat given/more.conf; } >> data/postgresql.conf
      rm given/more.conf
      for file in given/*; do
        [ -f "$file" ] || continue
        cp "$file" data && chmod 600 "data/${file#given/}"
        [ -z "$as" ] || chown postgres "data/${file#given/}"
      done
    fi
    start
    while read -r word; do
      case $word in
      halt) halt; echo halted ;;
      start) start ;;
      esac
    done
    halt
    rm -rf "$folder"
    """
}

extension DatabaseServer.Terms {
  /// Puts the files into a folder, from which the shell takes them.
  fileprivate func write(in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var files = files
    // The locale C has English words alone.
    let settings = settings + (language == nil ? [] : ["lc_messages = 'C.utf8'"])
    files["more.conf"] = Data(settings.map { $0 + "\n" }.joined().utf8)
    files["pg_hba.conf"] = access.map { Data($0.utf8) }
    for (name, data) in files { try data.write(to: folder.appending(component: name)) }
  }
}

// MARK: - Its end

extension DatabaseServer {
  /// Ends the server before the process does, and waits for that.
  public func stop() throws {
    try shell.input.close()
    shell.wait()
  }
}

// MARK: - Standing still

extension DatabaseServer {
  /// Has the server end all sessions and itself; its tables stay.
  public func halt() throws {
    try shell.input.write(contentsOf: Data("halt\n".utf8))
    try hear("halted")
  }

  /// Starts the server again, and waits until it takes connections.
  public func start() throws {
    try shell.input.write(contentsOf: Data("start\n".utf8))
    try hear("ready")
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
      ["-h", folder, "-p", String(port), "-U", "tests", name]
    )
    guard outcome.status == 0 else { throw NotStarted(words: outcome.errors) }
    return address(of: name)
  }

  private func address(of name: String) -> String {
    "postgresql://tests@/\(name)?host=\(folder)" + (port == 5432 ? "" : "&port=\(port)")
  }
}
