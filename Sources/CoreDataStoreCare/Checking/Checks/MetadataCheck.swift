import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// What the file says of itself: whether it can be read, and is of the model.
struct MetadataCheck {
  let metadata: CheckedMetadata
  let schema: ModelSchema?

  var findings: [Finding] {
    guard let count = metadata.rowCount else { return [missingTable] }
    var findings: [Finding] = []
    if count == 0 || !metadata.isReadable {
      findings.append(unreadable(hasRow: count > 0))
    } else if let type = metadata.type, type != NSSQLiteStoreType {
      findings.append(finding("it says that the store is of the type \(type)"))
    }
    if count > 1 { findings.append(finding("it has \(count) rows, and should have one")) }
    if count > 0, metadata.identifier?.isEmpty ?? true {
      findings.append(finding("the store has no UUID", remedy: newIdentifier))
    }
    return findings
  }

  private func finding(_ sentence: String, remedy: Remedy? = nil) -> Finding {
    Finding(.error, .metadata, .table("Z_METADATA"), sentence, remedy: remedy)
  }

  private var missingTable: Finding {
    Finding(
      .error,
      .metadata,
      .table("Z_METADATA"),
      "the table is missing, without which nothing opens the store",
      remedy: Remedy(
        "makes the table",
        .tables,
        [SQLFragment(stringLiteral: SchemaWriter.metadataTable)]
      )
    )
  }

  private func unreadable(hasRow: Bool) -> Finding {
    finding(
      hasRow
        ? "the store's metadata cannot be read" : "the store has no metadata",
      remedy: schema.flatMap { fresh($0, hasRow: hasRow) }
    )
  }

  /// Metadata as a new store has them; what programs had put there themselves is lost already.
  private func fresh(_ schema: ModelSchema, hasRow: Bool) -> Remedy? {
    // A model whose own hashes no property list takes does not exist.
    guard let list = try? StoreMetadata(for: schema).binary else { return nil }
    let bytes = SQLValue.blob([UInt8](list))
    return Remedy(
      "writes the metadata that the model gives",
      .bookkeeping,
      [
        hasRow
          ? "UPDATE Z_METADATA SET Z_PLIST = \(bytes)"
          : """
          INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) \
          VALUES (1, \(.text(UUID().uuidString)), \(bytes))
          """
      ]
    )
  }

  private var newIdentifier: Remedy {
    Remedy(
      "gives it a new one",
      .bookkeeping,
      ["UPDATE Z_METADATA SET Z_UUID = \(.text(UUID().uuidString)) WHERE IFNULL(Z_UUID, '') = ''"]
    )
  }
}
