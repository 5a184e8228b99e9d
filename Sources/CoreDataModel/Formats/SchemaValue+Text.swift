import CoreDataPredicates
import Foundation

/// A value as a person reads it: `"new"`, `YES`, `3`, `2001-01-01T00:00:00Z`, `16 bytes`.
extension SchemaValue: CustomStringConvertible {
  package var description: String {
    switch self {
    case .boolean(let flag): flag ? "YES" : "NO"
    case .integer(let number): "\(number)"
    case .real(let number): Decimal(spelling: number).map { "\($0)" } ?? "\(number)"
    case .decimal(let number): "\(number)"
    case .text(let text): "\"\(text.replacing("\n", with: "\\n"))\""
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    case .data(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let text): text
    case .archived: "an archived object"
    }
  }
}
