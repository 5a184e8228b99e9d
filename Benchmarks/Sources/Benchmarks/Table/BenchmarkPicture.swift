import Foundation

/// The table as a picture: a beam for each line, and a mark where the bar is.
struct BenchmarkPicture {
  private let outcomes: [Outcome]
  private static let rowHeight = 26.0
  private static let titleWidth = 430.0
  private static let beamWidth = 360.0
  /// Ratios from here on are drawn alike, with a gap in the beam; their figure is beside them.
  private static let widest = 4.0

  init(_ outcomes: [Outcome]) {
    self.outcomes = outcomes.filter { $0.isRatio && $0.plain != nil }
  }

  var svg: String {
    let width = Self.titleWidth + Self.beamWidth + 60
    let height = Self.rowHeight * Double(outcomes.count) + 40
    let one = x(1)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      font-family="system-ui, sans-serif" font-size="13">
      <rect width="100%" height="100%" fill="white"/>
      <text x="\(one)" y="18" text-anchor="middle" fill="#555">plain SQLite = 1</text>
      <line x1="\(one)" y1="24" x2="\(one)" y2="\(height)" stroke="#bbb"/>
      \(outcomes.enumerated().map { row($1, at: Double($0)) }.joined(separator: "\n"))
      </svg>

      """
  }

  private func x(_ ratio: Double) -> Double {
    Self.titleWidth + min(ratio, Self.widest) / Self.widest * Self.beamWidth
  }

  private func row(_ outcome: Outcome, at index: Double) -> String {
    let top = 30 + index * Self.rowHeight
    let (end, bar) = (x(outcome.figure), x(outcome.bar))
    let colour = outcome.keepsBar ? "#2f7d4f" : "#c08a2b"
    let title = outcome.title.replacingOccurrences(of: "&", with: "&amp;")
    return """
      <text x="\(Self.titleWidth - 10)" y="\(top + 13)" text-anchor="end">\(title)</text>
      <rect x="\(Self.titleWidth)" y="\(top)" width="\(end - Self.titleWidth)" height="17" fill="\(colour)"/>\
      \(outcome.figure > Self.widest ? gap(before: end, top) : "")
      <line x1="\(bar)" y1="\(top - 2)" x2="\(bar)" y2="\(top + 19)" stroke="black" stroke-width="2"/>
      <text x="\(max(end, bar) + 6)" y="\(top + 13)">\(String(format: "%.2f", outcome.figure))</text>
      """
  }

  /// The gap of a beam that is shorter than its ratio.
  private func gap(before end: Double, _ top: Double) -> String {
    let x = end - 40
    return """

      <polygon points="\(x),\(top + 19) \(x + 8),\(top - 2) \(x + 14),\(top - 2) \(x + 6),\(top + 19)" fill="white"/>
      """
  }
}
