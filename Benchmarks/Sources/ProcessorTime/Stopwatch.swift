import Foundation

/// The processor's time, of all threads of the process: other processes do not count.
public enum Stopwatch {
  /// Runs the work and returns the milliseconds that it has cost.
  public static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = now
    try work()
    return (now - start) * 1000
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
