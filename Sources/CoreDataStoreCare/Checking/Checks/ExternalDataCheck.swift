import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// Data in files: whether each file that a row names is there and small enough to be read, and each file that is there
/// is named.
///
/// The content of a file is not looked at: it is the program's, and a store does not have anything to compare it with.
///
/// A file that no row names is worth a note: Core Data deletes files some time after the rows, and the
/// names of new ones may be in a -wal that was not copied.
struct ExternalDataCheck: StoreCheck {
  let name = CheckName.externalData

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let columns = store.checkedTables.flatMap(\.values).filter(\.attribute.mayStandInFile)
    if columns.isEmpty { return [] }
    var unnamed = ExternalFiles.names(besides: store.url)
    let files = unnamed
    var findings: [Finding] = []
    for column in columns {
      var (missing, large) = (Rows(), Rows())
      try eachName(in: column, store) { key, name in
        unnamed.remove(name)
        if !files.contains(name) {
          missing.add(key, name)
        } else if isTooLarge(name, store) {
          large.add(key, name)
        }
      }
      findings += [lost(column, missing, store.url), unreadable(column, large)].compactMap(\.self)
    }
    if !unnamed.isEmpty { unnamed = try orphans(in: store) }
    return unnamed.isEmpty ? findings : findings + [orphans(unnamed, besides: store.url)]
  }

  /// The files that no row names, asked while nobody else writes.
  ///
  /// A row names a file whatever its `Z_ENT` is, which may be damaged.
  func orphans(in store: CheckedStore) throws(SQLiteError) -> Set<String> {
    var unnamed = ExternalFiles.names(besides: store.url)
    for column in store.checkedTables.flatMap(\.values) where column.attribute.mayStandInFile {
      try eachName(in: column, ofAnyEntity: true, store) { _, name in unnamed.remove(name) }
    }
    return unnamed
  }

  private func eachName(
    in value: CheckedValue,
    ofAnyEntity: Bool = false,
    _ store: CheckedStore,
    _ body: (_ key: Int64, _ name: String) -> Void
  ) throws(SQLiteError) {
    let column = own(value.column)
    let statement = try store.connection.statement(
      """
      SELECT \(own("Z_PK")), CAST(substr(\(column), 2, 36) AS TEXT) \
      FROM \(name: value.entity.tableName) AS \(name: "t0") \
      WHERE \(ofAnyEntity ? "1" : value.entity.has("t0")) AND \(value.isReference)
      """
    )
    defer { statement.reset() }
    while try statement.step() { body(statement.integer(0), statement.text(1)) }
  }

  private func isTooLarge(_ name: String, _ store: CheckedStore) -> Bool {
    ExternalFiles.size(named: name, besides: store.url) ?? 0 > ExternalFiles.greatestSize
  }

  /// How many rows, the keys of the first few, and the first file that they name.
  private struct Rows {
    var count = 0
    var keys: [Int64] = []
    var file: String?

    mutating func add(_ key: Int64, _ name: String) {
      count += 1
      // Any other name leads nowhere, or out of the folder.
      if file == nil, UUID(uuidString: name) != nil { file = name }
      if keys.count < Finding.Examples.limit { keys.append(key) }
    }
  }

  private func lost(_ value: CheckedValue, _ rows: Rows, _ store: URL) -> Finding? {
    let names = rows.count.rows("names", "name")
    var finding = finding(value, rows, "\(names) a file that is not in the folder _EXTERNAL_DATA")
    let file = rows.file.map { ", which has \($0)" } ?? ""
    finding?.advice =
      "copy the hidden folder \(ExternalFiles.supportFolderName(of: store)) from beside the store where it"
      + " came from\(file); if the store was called otherwise there, so was the folder"
    return finding
  }

  private func unreadable(_ value: CheckedValue, _ rows: Rows) -> Finding? {
    let names = rows.count.rows("names", "name")
    let size = "of more than \(ExternalFiles.greatestSize) bytes"
    var finding = finding(value, rows, "\(names) a file \(size), which is not read")
    finding?.advice = "save a smaller value in its place; the file stays where it is until then"
    return finding
  }

  private func finding(_ value: CheckedValue, _ rows: Rows, _ sentence: String) -> Finding? {
    if rows.count == 0 { return nil }
    return Finding(
      .error,
      .externalData,
      value.place,
      count: rows.count,
      .rows(rows.keys),
      sentence
    )
  }

  private func orphans(_ names: Set<String>, besides store: URL) -> Finding {
    let count = names.count
    let other = SupportFolder(of: store).sharer?.lastPathComponent
    let reader = other.map { "; they may be of \($0), which has the same folder" } ?? ""
    return Finding(
      .note,
      .externalData,
      .file,
      count: count,
      .names(Array(names.sorted().prefix(Finding.Examples.limit))),
      "\(count.of("file", "files")) in the folder _EXTERNAL_DATA that no row names\(reader)",
      remedy: other == nil
        ? Remedy(
          "moves them to a folder lost+found beside the store",
          .files,
          .moveOrphans,
          deletesObjects: false
        ) : nil
    )
  }
}

/// Data that may be in a file, and does not say whether it is.
struct ExternalPrefixCheck: RowCheck {
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    table.values.filter(\.attribute.mayStandInFile)
      .map { value in
        let column = own(value.column)
        return RowFault(
          .error,
          .externalData,
          value.place,
          where: """
            \(value.entity.has("t0")) AND typeof(\(column)) = 'blob' AND length(\(column)) > 0 \
            AND (substr(\(column), 1, 1) NOT IN (x'01', x'02') \
            OR (\(value.isReference) AND length(\(column)) NOT IN (37, 38)))
            """
        ) { count in
          "\(count.rows("has", "have")) data that begin with neither 1 nor 2 and the name of a file"
        }
      }
  }
}

extension AttributeSchema {
  fileprivate var mayStandInFile: Bool { type == .binaryData && allowsExternalBinaryDataStorage }
}

extension CheckedValue {
  /// Whether the row `t0` has the name of a file instead of the data.
  fileprivate var isReference: SQLFragment {
    "typeof(\(own(column))) = 'blob' AND substr(\(own(column)), 1, 1) = x'02'"
  }
}
