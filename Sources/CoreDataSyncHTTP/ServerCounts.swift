import CoreDataCRuntime
import CoreDataSyncServer
import Foundation
import Synchronization

/// The figures of a server since it began: answers, their times and their bytes.
final class ServerCounts: Sendable {
  private let counts = Mutex(Counts())
  private let began = Date()

  private struct Counts {
    var answers: [Answer: Int] = [:]
    var seconds: [String: Double] = [:]
    var received = 0
    var sent = 0
  }

  private struct Answer: Hashable {
    let place: String
    let status: Int
  }

  /// Notes an answer to a request.
  ///
  /// - Parameters:
  ///   - place: The kind of the path, of which there are few.
  ///   - status: The status of the answer.
  ///   - received: The bytes of the request's body.
  ///   - sent: The bytes of the answer's body.
  ///   - time: The time from the request's first line to the answer.
  func note(_ place: String, status: Int, received: Int, sent: Int, in time: Duration) {
    counts.withLock { counts in
      counts.answers[Answer(place: place, status: status), default: 0] += 1
      counts.seconds[place, default: 0] += time / .seconds(1)
      counts.received += received
      counts.sent += sent
    }
  }
}

// MARK: - For Prometheus

extension ServerCounts {
  /// The figures in the text format of Prometheus, version 0.0.4.
  func page(of answering: Answering) -> String {
    let counts = counts.withLock { $0 }
    let answers = counts.answers.sorted {
      ($0.key.place, $0.key.status) < ($1.key.place, $1.key.status)
    }
    return [
      Self.lines(
        "coredata_sync_requests_total",
        "counter",
        "The answered requests, by the kind of their path and by status.",
        answers.map {
          ("{place=\"\($0.key.place)\",status=\"\($0.key.status)\"}", Double($0.value))
        }
      ),
      Self.lines(
        "coredata_sync_request_seconds_total",
        "counter",
        "The time from the first lines of requests to their answers.",
        counts.seconds.sorted { $0.key < $1.key }.map { ("{place=\"\($0.key)\"}", $0.value) }
      ),
      Self.lines(
        "coredata_sync_received_bytes_total",
        "counter",
        "The bytes of the bodies of requests.",
        Double(counts.received)
      ),
      Self.lines(
        "coredata_sync_sent_bytes_total",
        "counter",
        "The bytes of the bodies of answers, without streams.",
        Double(counts.sent)
      ),
      Self.lines(
        "coredata_sync_connections",
        "gauge",
        "The open connections.",
        Double(answering.connectionCount)
      ),
      Self.lines(
        "coredata_sync_waiting_clients",
        "gauge",
        "The clients that wait for changes.",
        Double(answering.service.waitingCount)
      ),
      Self.lines(
        "coredata_sync_waiting_requests",
        "gauge",
        "The requests that wait for a working thread.",
        Double(answering.turns.waitingCount + answering.doors.waitingCount)
      ),
      Self.lines(
        "process_start_time_seconds",
        "gauge",
        "When the server began, in seconds since 1970.",
        began.timeIntervalSince1970
      ),
      processLines,
    ].joined()
  }

  private var processLines: String {
    let cpu = Self.lines(
      "process_cpu_seconds_total",
      "counter",
      "The time of processors.",
      coredata_processor_seconds()
    )
    // Without /proc, nobody knows the rest.
    guard let sizes = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii),
      let pages = sizes.split(separator: " ").dropFirst().first.flatMap({ Double($0) }),
      let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    else { return cpu }
    return cpu
      + Self.lines(
        "process_resident_memory_bytes",
        "gauge",
        "The memory of the process.",
        pages * Double(sysconf(Int32(_SC_PAGESIZE)))
      )
      + Self.lines("process_open_fds", "gauge", "The open files.", Double(files))
  }

  private static func lines(
    _ name: String,
    _ kind: String,
    _ help: String,
    _ value: Double
  ) -> String {
    lines(name, kind, help, [("", value)])
  }

  private static func lines(
    _ name: String,
    _ kind: String,
    _ help: String,
    _ values: [(labels: String, value: Double)]
  ) -> String {
    let head = "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    return head + values.map { "\(name)\($0.labels) \($0.value)\n" }.joined()
  }
}
