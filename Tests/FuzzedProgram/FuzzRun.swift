import Foundation
import Synchronization

/// One reader and its input.
protocol FuzzTarget {
  /// Makes a damaged input by chance and has it read; answers are of no interest, errors are right.
  mutating func run(_ dice: inout Dice)
}

/// Runs a target, watched by a thread that ends the program when a run takes too long.
struct FuzzRun {
  private var target: any FuzzTarget
  private let options: FuzzOptions
  private let mark: Int32

  /// No reader may take more of the processor for input of some kilobytes, with debugging.
  private static let greatestTime = Duration.seconds(30)
  private static let greatestMemory: UInt = 6 << 30

  init(_ target: any FuzzTarget, _ options: FuzzOptions) {
    self.target = target
    self.options = options
    mark = options.mark.map { open($0, O_WRONLY | O_CREAT, 0o600) } ?? -1
  }

  /// A sanitizer reserves more addresses than the memory that a run may have.
  private func limitMemory() {
    guard ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil else { return }
    var limit = rlimit(rlim_cur: Self.greatestMemory, rlim_max: Self.greatestMemory)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  }

  func perform() {
    limitMemory()
    let watch = Watch(greatestTime: Self.greatestTime)
    watch.begin()
    var target = target
    let start = ContinuousClock.now
    var number = options.first
    while number - options.first < options.runs,
      (ContinuousClock.now - start) / .seconds(1) < options.seconds
    {
      note(number)
      watch.beginRun()
      var dice = Dice(seed: options.seed, number: number)
      target.run(&dice)
      number += 1
    }
    let time = (ContinuousClock.now - start) / .seconds(1)
    print("\(options.target): \(number - options.first) runs in \(Int(time.rounded())) s")
  }

  private func note(_ number: Int) {
    guard mark >= 0 else { return }
    let text = "\(number)\n"
    _ = text.withCString { pwrite(mark, $0, strlen($0), 0) }
  }
}

/// Ends the program when a run takes too much of the processor, or waits for ever.
private final class Watch: Sendable {
  private let begun = Mutex(Moment.now)
  private let greatestTime: Duration

  /// A machine that is busy with other things takes its time: waiting counts little.
  private static let patience = 20

  private struct Moment {
    let time: ContinuousClock.Instant
    let work: Duration

    static var now: Moment {
      var spent = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent)
      return Moment(
        time: .now,
        work: .seconds(spent.tv_sec) + .nanoseconds(spent.tv_nsec)
      )
    }
  }

  init(greatestTime: Duration) {
    self.greatestTime = greatestTime
  }

  func beginRun() { begun.withLock { $0 = .now } }

  func begin() {
    Thread.detachNewThread { [self] in
      while true {
        sleep(1)
        let (begun, now) = (begun.withLock(\.self), Moment.now)
        if now.work - begun.work > greatestTime
          || now.time - begun.time > greatestTime * Self.patience
        {
          FileHandle.standardError.write(Data("a run takes longer than \(greatestTime)\n".utf8))
          kill(getpid(), SIGABRT)
        }
      }
    }
  }
}
