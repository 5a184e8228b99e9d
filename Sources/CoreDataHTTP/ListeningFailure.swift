import Foundation

/// The reason why a server cannot begin to listen.
public enum ListeningFailure: Error, Sendable, Equatable {
  case noPort(Int)
  case unknownHost(String)
  case portInUse(Int, host: String)
  case notOfThisMachine(String)
  case onlyForAdministrator(Int)
  case noFiles
  case noThreads
  case other(String, port: Int, reason: String)

  init(_ number: Int32, _ host: String, _ port: Int) {
    switch number {
    case EADDRINUSE: self = .portInUse(port, host: host)
    case EADDRNOTAVAIL: self = .notOfThisMachine(host)
    case EACCES where port < 1024: self = .onlyForAdministrator(port)
    case EMFILE, ENFILE: self = .noFiles
    case _: self = .other(host, port: port, reason: String(cString: strerror(number)))
    }
  }

  /// The failure in a sentence, with advice.
  ///
  /// The options `--host` and `--port` are those of the programs.
  public var sentence: String {
    switch self {
    case .noPort(let port): "\(port) is no port; ports go from 0 to 65535."
    case .unknownHost(let host):
      "There is no address of the name \(host); give another with --host."
    case .portInUse(let port, let host):
      "The port \(port) of \(host) is in use; choose another with --port, or 0 for any."
    case .notOfThisMachine(let host):
      "This machine has no address \(host); give one that it has with --host, or 0.0.0.0 for all of them."
    case .onlyForAdministrator(let port):
      "The system lets only its administrator listen at port \(port); choose one from 1024 on with --port."
    case .noFiles:
      """
      The system lets this program open no more files; start it with a higher limit, such as with ulimit -n 4096.
      """
    case .noThreads: "The server's threads cannot be started."
    case .other(let host, let port, let reason):
      "The server cannot listen at \(host), port \(port): \(reason)."
    }
  }
}
