import CoreDataModel

extension ViewSpelling {
  /// Temporary views of a SQLite store, which are not written into its file.
  package static let sqlite = ViewSpelling(
    heading: { "CREATE TEMP VIEW \(quote($0))" },
    table: { "main.\(quote($0))" },
    value: { column, type in
      switch type {
      case .date: "strftime('%Y-%m-%d %H:%M:%f', \(column) + 978307200, 'unixepoch')"
      case .uuid:
        "CASE WHEN length(\(column)) = 16 THEN lower("
          + [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
          .map { "substr(hex(\(column)), \($0.0), \($0.1))" }.joined(separator: " || '-' || ")
          + ") END"
      default: column
      }
    }
  )
}
