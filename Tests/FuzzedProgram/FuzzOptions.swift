import Foundation

/// The input to feed: its target, how often and from where.
struct FuzzOptions {
  let target: String
  var seed: UInt64 = 1
  var first = 0
  var runs = Int.max
  var seconds = Double.infinity
  /// The file with the number of the run.
  var mark: String?
  /// A folder with files to begin from, besides those that the program makes itself.
  var seeds: URL?

  init?(_ words: some Sequence<String>) {
    var words = Array(words)[...]
    guard let target = words.popFirst() else { return nil }
    self.target = target
    while let name = words.popFirst() {
      guard let value = words.popFirst() else { return nil }
      switch name {
      case "--seed": seed = UInt64(value) ?? seed
      case "--first": first = Int(value) ?? first
      case "--runs": runs = Int(value) ?? runs
      case "--seconds": seconds = Double(value) ?? seconds
      case "--mark": mark = value
      case "--seeds": seeds = URL(fileURLWithPath: value)
      case _: return nil
      }
    }
  }
}
